// Corrections towards the constraints that a basis V of independent coordinates does not see, as recorded kernels
// (Mani, Haug and Atkinson 1985; Starmans 1987, equations 4.8 and 4.12). G_D, the pivot columns of G, is eliminated
// once for all of
//   L  = N (V N)^-1,  G N = 0        the lifting: the motion along the constraints of which V sees each unit vector
//   dq = -(I - L V) G_D^-1 g         the Newton step on [g; V q - z]
//   dv = -(I - L V) G_D^-1 [g' + (dg'/dq) dq]
// The solution of [G; V] x = [r; s] is L s + (I - L V) G_D^-1 r.
#pragma once
#include <memory>
#include <utility>

#include "base/tape/kernel.h"
#include "system/elimination/pivot_plan.h"
#include "system/recorded/recording.h"

namespace raak {

// What is written, all of it at q and v as they were given. Matrices are column by column.
struct BasisCorrectionOutput {
  double* change;        // 2n: dq, dv
  double* lifting;       // n x (n - m)
  double* determinants;  // of the blocks of the plan
};

// One choice of pivots. Systems without velocity rows only.
class BasisCorrection {
 public:
  BasisCorrection(const PivotPlan& plan, std::unique_ptr<Kernel> kernel) : plan_(plan), kernel_(std::move(kernel)) {}

  // `basis`: V, (n - m) x n, whose rows are orthonormal.
  void evaluate(double t, const double* q, const double* v, const double* basis,
                const BasisCorrectionOutput& out) const {
    const double* const in[5] = {&t, q, v, nullptr, basis};
    double* const blocks[3] = {out.change, out.lifting, out.determinants};
    kernel_->run_one(in, blocks);
  }
  const PivotPlan& plan() const { return plan_; }

 private:
  PivotPlan plan_;
  std::unique_ptr<Kernel> kernel_;
};

// Block 0: dq and dv; block 1: L; block 2: the determinants. V is block 4 of the inputs.
void write_basis_correction(const Formulas& formulas, const PivotPlan& plan, KernelRecording& to);

}  // namespace raak

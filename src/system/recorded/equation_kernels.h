// Evaluations of the equations for methods that solve them in their own way, as recorded kernels made at the first use.
#pragma once
#include <array>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "system/recorded/partition/basis_correction.h"

namespace raak {

// The derivatives of the equations at one state.
struct EquationDerivatives {
  Matrix& M;
  Matrix& K;     // d(M a + G' lambda - f)/dq
  Matrix& f_v;   // df/dv
  Matrix& G;     // [dg/dq; dc/dv]
  Matrix& Gdot;  // of [g'; c] the derivative by q, of the rows of index 1 half of that by v: both are dG/dt for g'
};

class EquationKernels {
 public:
  // The formulas must outlive the kernels.
  EquationKernels(const Formulas& formulas, int coordinates, int position_rows, int velocity_rows)
      : formulas_(formulas), n_(coordinates), mp_(position_rows), m_(position_rows + velocity_rows) {}

  // The residuals M a + G' lambda - f, [g'; c] and g, one after the other; `forces` holds a and lambda.
  static constexpr int blocks = 4;  // t, q, v, forces
  void residual(const double* const* in, double* r) const;
  // The same at four states in packs.
  void residual_lanes(const double* const* in, double* r) const;
  // M a + G' lambda - f and G a - bias: the rows of the index-1 equations.
  void residual_of_index1(const double* const* in, double* r) const;
  void linearise(const double* const* in, const EquationDerivatives& to) const { linearise(derivatives_, in, to); }
  void linearise_index1(const double* const* in, const EquationDerivatives& to) const {
    linearise(derivatives_of_index1_, in, to);
  }

  // It stays where it is for the life of the kernels. Null where there are velocity rows, or so many coordinates or
  // freedoms that recording does not pay.
  const BasisCorrection* basis_correction(const PivotPlan& plan) const;

 private:
  struct Slot {
    std::once_flag once;
    std::unique_ptr<Kernel> kernel;
  };
  template <class Formula>
  std::unique_ptr<Kernel> record(Formula&& formula) const {
    const PreparationTimer timer;
    KernelRecording to(n_, m_);
    formula(to);
    return to.kernel();
  }
  template <class Formula>
  const Kernel& once(Slot& slot, Formula&& formula) const {
    std::call_once(slot.once, [&] { slot.kernel = record(formula); });
    return *slot.kernel;
  }
  struct Derivatives : Slot {
    // Of the entries of M, K, f_v, G and Gdot that are not zero by their structure.
    std::array<std::vector<std::pair<int, int>>, 5> places;
  };
  const Kernel& residual_kernel() const;
  void linearise(Derivatives& kernel, const double* const* in, const EquationDerivatives& to) const;

  const Formulas& formulas_;
  int n_, mp_, m_;
  mutable Slot residual_, residual_of_index1_;
  mutable Derivatives derivatives_, derivatives_of_index1_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<BasisCorrection>> basis_corrections_;
};

}  // namespace raak

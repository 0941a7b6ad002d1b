// The simplified Newton correction of the stages of a collocation step for stiff systems, in SIMD lanes. Linearized,
// the stage equations read (I + h A x D + h^2 A^2 x K) da + G' dl = M r with G da = G r, where r is the residual of the
// accelerations, K = d(M a + G' lambda - f)/dq and D = -df/dv. The eigenvectors of A decouple them: for each pair of
// conjugate eigenvalues nu one complex system
//   [ M + h nu D + (h nu)^2 K   G' ] [da]   [M r]
//   [ G                         0  ] [dl] = [G r]
// is solved beforehand as da = W r; the pairs lie in the lanes. Hairer and Wanner II, section IV.8.
#pragma once
#include <array>
#include <vector>

#include "methods/collocation/collocation_spectrum.h"
#include "methods/collocation/complex_pack.h"
#include "methods/collocation/stage_lanes.h"
#include "methods/linear/linearization.h"
#include "methods/resumable.h"

namespace raak {

// What solves the linearized equations, for s = 4, 8 or 16 stages.
template <int s>
class StageCorrection {
 public:
  virtual ~StageCorrection() = default;
  StageCorrection(const StageCorrection&) = delete;
  StageCorrection& operator=(const StageCorrection&) = delete;

  // Prepares the correction for steps of length h. False: the linearized equations cannot be solved.
  virtual bool factor(const StateLinearization& system, double h) = 0;
  // Adds the correction for `residual` to `a`; returns the largest change times weight[d]. Equation i of the residual
  // belongs to component d = component[i] of a.
  virtual double correct(const double* residual, double* a, const double* weight, const int* component) = 0;
  // How far W is from the identity, which is what a fixed-point sweep would take it for: its contraction where that is
  // below 1. Changes of component d = component[i] count times weight[d].
  virtual double departure(const double* weight, const int* component) const = 0;
  // Cycles of factor() and of correct(), counted as Program::cost() counts.
  virtual double factor_cost() const = 0;
  virtual double correction_cost() const = 0;
  // `pattern`: of the sparse matrices, null where they are dense.
  virtual void visit_state(Archive& archive, const std::shared_ptr<const SaddlePattern>& pattern) = 0;

 protected:
  static constexpr int pairs = s / 2;
  static constexpr int groups = (pairs + lanes - 1) / lanes;  // of pairs, one pack each
  static constexpr int blocks = s / lanes;
  static constexpr double cycles_per_product = 2.0;  // of complex packs: four multiplications, two a cycle

  explicit StageCorrection(const CollocationSpectrum& spectrum);

  // The part of the s numbers of a component that belongs to the pairs of a group.
  RAAK_INLINE ComplexPack decoupled(const double* numbers, std::size_t g) const {
    ComplexPack sum{Pack(0.0), Pack(0.0)};
#pragma GCC unroll 16
    for (std::size_t j = 0; j < s; ++j) {
      const Pack number(numbers[j]);
      sum.re += to_[g][j].re * number;
      sum.im += to_[g][j].im * number;
    }
    return sum;
  }
  // Adds what the pairs' parts x[g] of a component amount to at the stages; returns the largest change.
  RAAK_INLINE Pack add_coupled(const ComplexPack* x, double* stages) const {
    std::array<Pack, blocks> change;
    for (std::size_t b = 0; b < blocks; ++b) change[b] = Pack(0.0);
#pragma GCC unroll 8
    for (int k = 0; k < pairs; ++k) {
      const ComplexPack& part = x[k / lanes];
      const auto pair = static_cast<std::size_t>(k);
      const Pack re(part.re[k % lanes]);
      const Pack im(part.im[k % lanes]);
      for (std::size_t b = 0; b < blocks; ++b) {
        change[b] += from_[pair][b].re * re;
        change[b] -= from_[pair][b].im * im;
      }
    }
    Pack largest(0.0);
    for (std::size_t b = 0; b < blocks; ++b) {
      double* const at = stages + lanes * static_cast<int>(b);
      (Pack::load(at) + change[b]).store(at);
      largest = max(largest, abs(change[b]));
    }
    return largest;
  }

  std::array<ComplexPack, groups> nu_;

 private:
  std::array<std::array<ComplexPack, s>, groups> to_;
  std::array<std::array<ComplexPack, blocks>, pairs> from_;
};

// By dense matrices.
template <int s>
class NewtonLanes final : public StageCorrection<s> {
 public:
  NewtonLanes(int n, int m, const CollocationSpectrum& spectrum);

  bool factor(const StateLinearization& system, double h) override;
  double correct(const double* residual, double* a, const double* weight, const int* component) override;
  double departure(const double* weight, const int* component) const override;
  double factor_cost() const override;
  double correction_cost() const override;

  void visit_state(Archive& archive, const std::shared_ptr<const SaddlePattern>& /*pattern*/) override {
    archive(H_, X_, S_, Z_, W_, r_, departure_);
    scratch(n_, m_);
  }

 private:
  using StageCorrection<s>::groups;
  using StageCorrection<s>::nu_;
  static std::size_t size(int entries) { return static_cast<std::size_t>(entries * groups); }
  RAAK_INLINE static ComplexPack& at(std::vector<ComplexPack>& x, int i, std::size_t g) {
    return x[static_cast<std::size_t>(i) * groups + g];
  }
  void eliminate(std::vector<ComplexPack>& matrix, int order, std::vector<ComplexPack>& right, int columns,
                 std::size_t g) const;
  template <int n>
  void factor_small(const StateLinearization& system, double h, std::size_t g);
  void factor_group(const StateLinearization& system, double h, std::size_t g);

  int n_, m_;
  std::vector<ComplexPack> H_, X_, S_, Z_, W_, r_;
  mutable double departure_ = -1.0;  // negative: not known yet
};

extern template class StageCorrection<4>;
extern template class StageCorrection<8>;
extern template class StageCorrection<16>;
extern template class NewtonLanes<4>;
extern template class NewtonLanes<8>;
extern template class NewtonLanes<16>;

}  // namespace raak

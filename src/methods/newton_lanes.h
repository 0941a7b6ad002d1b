// The simplified Newton correction of the stages of a collocation step for stiff systems, in SIMD lanes. Linearised,
// the stage equations read (I + h A x D + h^2 A^2 x K) da + G' dl = M r with G da = G r, where r is the residual of the
// accelerations, K = d(M a + G' lambda - f)/dq and D = -df/dv. The eigenvectors of A decouple them: for each pair of
// conjugate eigenvalues nu one complex system
//   [ M + h nu D + (h nu)^2 K   G' ] [da]   [M r]
//   [ G                         0  ] [dl] = [G r]
// is solved beforehand as da = W r; the pairs lie in the lanes. Hairer and Wanner II, section IV.8.
#pragma once
#include <array>
#include <vector>

#include "methods/collocation_spectrum.h"
#include "methods/complex_pack.h"
#include "methods/linearisation.h"
#include "methods/stage_lanes.h"

namespace raak {

// Of s = 4, 8 or 16 stages.
template <int s>
class NewtonLanes {
  static constexpr int pairs = s / 2;
  static constexpr int groups = (pairs + lanes - 1) / lanes;  // of pairs, one pack each
  static constexpr int blocks = s / lanes;

 public:
  NewtonLanes(int n, int m, const CollocationSpectrum& spectrum);

  // Prepares the correction for steps of length h. False: the linearised equations cannot be solved.
  bool factor(const Linearisation& system, double h);
  // Adds the correction for `residual` to `a`; returns the largest change times weight[d]. Equation i of the residual
  // belongs to component d = component[i] of a.
  double correct(const double* residual, double* a, const double* weight, const int* component);
  // How far W is from the identity, which is what a fixed-point sweep would take it for: its contraction where that is
  // below 1. Changes of component d = component[i] count times weight[d].
  double departure(const double* weight, const int* component) const;

 private:
  static std::size_t size(int entries) { return static_cast<std::size_t>(entries * groups); }
  RAAK_INLINE static ComplexPack& at(std::vector<ComplexPack>& x, int i, std::size_t g) {
    return x[static_cast<std::size_t>(i) * groups + g];
  }
  void eliminate(std::vector<ComplexPack>& matrix, int order, std::vector<ComplexPack>& right, int columns,
                 std::size_t g) const;
  template <int n>
  void factor_small(const Linearisation& system, double h, std::size_t g);
  void factor_group(const Linearisation& system, double h, std::size_t g);

  int n_, m_;
  std::array<ComplexPack, groups> nu_;
  std::array<std::array<ComplexPack, s>, groups> to_;
  std::array<std::array<ComplexPack, blocks>, pairs> from_;
  std::vector<ComplexPack> H_, X_, S_, Z_, W_, r_;
  mutable double departure_ = -1.0;  // negative: not known yet
};

extern template class NewtonLanes<4>;
extern template class NewtonLanes<8>;
extern template class NewtonLanes<16>;

}  // namespace raak

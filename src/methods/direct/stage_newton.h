// The simplified Newton method for all stages of a collocation step at once, the stages in SIMD lanes, on equations
// that are split along and across the constraints (split_newton.h). With the eigenvectors T of A and w = h mu, what is
// left of a residual -(r, c, g) after the constraints are met,
//   p = -R g,  d = -R (c + G^ p)  [index 3: p],   s(w) = N' (f_v d - r - K p) - N'M d / w   [with d / w for d, d / w^2]
// is the same for every stage; only z = A(w)^-1 T^-1 s belongs to an eigenvalue. Back in the stages, with Z_k = T w^k
// z,
//   dQ = p + N Z_2,  dV = d + N Z_1 - E Z_2,  dx = (h A)^-1 d + N Z_0 - E Z_1,
//   dy = -R' (r + M dx - f_v dV + K dQ),  d eta = -(G G')^-1 (c - (h A)^-1 g + G^ dQ).
#pragma once
#include <algorithm>
#include <complex>
#include <vector>

#include "methods/collocation/collocation.h"
#include "methods/collocation/stage_lanes.h"
#include "methods/direct/second_order_newton.h"

namespace raak {

// Eigenvalues and eigenvectors of the matrix A of a collocation method: A T = T diag(mu).
struct StageSpectrum {
  Eigen::MatrixXcd T, T_inverse;
  double mu_real = 0.0;
  Eigen::Index real_column = 0;
  struct Pair {  // of conjugate eigenvalues
    std::complex<double> mu;
    Eigen::Index column;
  };
  std::vector<Pair> pairs;

  explicit StageSpectrum(const Matrix& A);
};

class StageNewton {
 public:
  // Needs the kernels of the system, and linear.split().
  StageNewton(const ConstrainedSystem& system, const Linearization& linear, const Collocation& rule,
              const StageSpectrum& spectrum, const Matrix& A);

  // The matrices of a step of length h, for linear as it is now.
  void factor(double h);
  // Unknowns, positions and velocities of the stages, one column each.
  void begin(double t, const Matrix& X, const Matrix& Q, const Matrix& V);
  // One step towards the solution; returns the largest of the changes of Q and V times their weights.
  double step(const Vector& weight_q, const Vector& weight_v);
  void end(Matrix& X, Matrix& Q, Matrix& V) const;

 private:
  using Complex = std::complex<double>;
  // p, d and the parts of s of one block of stages.
  void reduce(int block);
  // Z_0, Z_1 and Z_2.
  void solve_along();
  double correct(int block, const Vector& weight_q, const Vector& weight_v);
  // Lanes that are left over repeat the last stage.
  int stage_of(int lane) const { return std::min(lane, s_ - 1); }
  double* part(LaneArray& array, int rows, int block) const { return array.data() + lanes * rows * block; }

  const EquationKernels& kernels_;
  const Linearization& linear_;
  const SplitNewton& split_;
  const Collocation& rule_;
  const StageSpectrum& spectrum_;
  int s_, blocks_, n_, m_, f_, unknowns_;
  Matrix A_inverse_, A_inverse_square_;
  double h_ = 0.0;
  SmallFactors<double> real_;
  std::vector<SmallFactors<Complex>> pairs_;
  LaneArray t_, X_, Q_, V_;
  LaneArray r_;               // M a + G' lambda - f, c and g
  LaneArray p_, d_, s_by_w_;  // of s_by_w_: s without w, what is divided by w, and by its square
  LaneArray Z_;               // Z_0, Z_1 and Z_2
  LaneArray x_, of_v_, of_q_, b_, rows_;
  LaneArray inverse_, inverse_square_;  // of h A, column by column
  Vector z_;
  std::vector<Complex> complex_z_;
};

}  // namespace raak

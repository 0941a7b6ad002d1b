// The linear algebra of implicit methods on M a = f - G' lambda whose unknowns are accelerations x and multipliers. A
// change x of a stage's acceleration moves its velocity by wv x and its position by wq x (for a Runge-Kutta method wv =
// h mu and wq = wv^2, mu an eigenvalue of its matrix), so that a Newton step with frozen derivatives solves
//   [M - wv f_v + wq (K - f_q)] x + G' y - wq (K - f_q) G_p' e = r,     K = d(M a + G' lambda)/dq,
//   index3:  G_p x = r_g / wq           index2, ggl:  G x + (wq/wv) G^ (x - G_p' e) = r_c / wv
//   index1:  (G + 2 wv G^) x = r_a      ggl, also:    G_p (x - G_p' e) = r_g / wq
// with G^ = dG/dt along the motion. In the ggl form q' = v - G_p' eta moves the position by -wq G_p' e as well (Gear,
// Gupta and Leimkuhler, J. Comp. Appl. Math. 12 and 13, 1985); G_p in that product is frozen through a step: eta
// vanishes with the error. Hairer and Wanner, Solving Ordinary Differential Equations II, sections IV.8 and VII.1.
#pragma once
#include <memory>
#include <optional>

#include "methods/direct/split_newton.h"
#include "methods/linear/sparse_linearization.h"
#include "system/recorded/equation_kernels.h"

namespace raak {

// The derivatives at one state, shared by the factorizations for several w. Those of many bodies are sparse.
class Linearization {
 public:
  Linearization(const ConstrainedSystem& system, Form form);

  void evaluate(const State& at);
  // The unknowns: n accelerations, m multipliers and, in the ggl form, mp of eta.
  Eigen::Index unknowns() const { return n_ + m_ + eta_; }
  Eigen::Index eta() const { return eta_; }
  // Null: the matrices are dense.
  const SparseLinearization* sparse() const { return sparse_.get(); }
  // Null: the equations are not solved along and across the constraints.
  const SplitNewton* split() const { return split_ ? &*split_ : nullptr; }
  // Only where they are dense.
  const Matrix& mass() const { return M_; }
  const Matrix& jacobian() const { return G_; }
  LinearizedEquations equations() const { return {M_, K_, f_v_, G_, Gdot_}; }

  // Adds `factor` times a matrix and x to y: M, K - f_q, G^, G_p and G_p'.
  using Factor = Eigen::Ref<const Vector>;
  void add_mass(double factor, const Factor& x, Eigen::Ref<Vector> y) const;
  void add_stiffness(double factor, const Factor& x, Eigen::Ref<Vector> y) const;
  void add_jacobian_rate(double factor, const Factor& x, Eigen::Ref<Vector> y) const;
  void add_position_rows(double factor, const Factor& x, Eigen::Ref<Vector> y) const;
  void add_position_forces(double factor, const Factor& x, Eigen::Ref<Vector> y) const;

  // The residuals at (t, q, v, a, lambda): M a + G' lambda - f, then the m rows of the form, then g for ggl.
  void residual(const State& at, Eigen::Ref<Vector> r);
  // The matrix above, where it is dense.
  template <class Scalar>
  void assemble(Scalar wv, Scalar wq, Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& J) const;
  // Divides the rows of a residual as in the formulas above.
  template <class Scalar>
  void scale(Scalar wv, Scalar wq, Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& r) const;

 private:
  // The same by the kernels.
  void evaluate_kernels(const State& at);
  void residual_by_kernels(const State& at, Eigen::Ref<Vector> r);

  const ConstrainedSystem& system_;
  Form form_;
  Eigen::Index n_, m_, mp_, eta_;
  const EquationKernels* kernels_;  // null: by the functions of the system
  std::unique_ptr<SparseLinearization> sparse_;
  std::optional<SplitNewton> split_;
  Matrix M_, G_, Gdot_, K_, f_q_, f_v_, GG_, KG_, GdotG_;
  Matrix M_at_, G_at_;  // at a stage
  Vector q_, f_, g_, c_, forces_, all_rows_;
};

}  // namespace raak

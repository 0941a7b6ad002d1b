// The matrices of second_order_newton.h for mechanisms of many bodies, by their nonzero entries: dense ones of a chain
// of 1000 rods would take 400 MB each, and their factors minutes.
#pragma once
#include <algorithm>
#include <complex>
#include <vector>

#include "system/equations/forms.h"
#include "system/sparse_equations.h"

namespace raak {

// The time, s, over which a central difference gives dG/dt along the motion: positions change by 1e-8 of their size.
inline double time_of_difference(const State& at, const Vector& scales) {
  const double size = 1e-3 * at.q.cwiseQuotient(scales).lpNorm<Eigen::Infinity>() + 1e-3;
  return 1e-5 * size / std::max(at.v.cwiseQuotient(scales).lpNorm<Eigen::Infinity>(), 1e-3 * size);
}

class SparseLinearization {
 public:
  SparseLinearization(const SparseEquations& equations, const ConstrainedSystem& system, Form form);

  void evaluate(const State& at);
  // M and G at a stage.
  void evaluate_stage(const State& at);
  const SparseMatrix& mass_at_stage() const { return M_at_; }
  const SparseMatrix& jacobian_at_stage() const { return G_at_; }

  const SparseMatrix& mass() const { return M_; }
  const SparseMatrix& stiffness() const { return K_; }  // K - f_q
  const SparseMatrix& jacobian_rate() const { return Gdot_; }
  const SparseMatrix& position_jacobian_transposed() const { return Gp_transposed_; }

  // The entries of the matrix of a Newton step; those of one place add up.
  template <class Scalar>
  void entries(Scalar wv, Scalar wq, std::vector<Eigen::Triplet<Scalar>>& J) const;

 private:
  const SparseEquations& equations_;
  Form form_;
  int n_, m_, mp_, eta_;
  Vector scales_;  // of the coordinates
  SparseMatrix M_, K_, f_q_, f_v_, G_, Gdot_, Gp_transposed_, GG_, KG_, GdotG_;
  SparseMatrix M_at_, G_at_;
  Vector q_;
};

}  // namespace raak

#include "kinematics/slow/force_balance.h"

#include <Eigen/QR>
#include <limits>

namespace raak {

void balance_forces(const ConstrainedSystem& system, State& state) {
  constexpr double dependent = 1e-9;  // of unit rows in scales of the mechanism
  const Eigen::Index n = system.coordinates(), m = system.rows();
  Matrix M(n, n), G(m, n);
  Vector f(n);
  system.mass(state.t, state.q, M);
  system.force(state.t, state.q, state.v, f);
  system.jacobian(state.t, state.q, G);
  const Vector& scales = system.coordinate_scales();
  G = (G * scales.asDiagonal()).eval();
  const Vector lengths = G.rowwise().norm();
  state.lambda.setConstant(m, std::numeric_limits<double>::quiet_NaN());
  if (!(lengths.minCoeff() > 0.0) || !G.allFinite()) return;
  Eigen::ColPivHouseholderQR<Matrix> rows(G.transpose() * lengths.cwiseInverse().asDiagonal());
  rows.setThreshold(dependent);
  if (rows.rank() < m) return;
  const Vector left = scales.cwiseProduct(f - M * state.a);
  state.lambda = rows.solve(left).cwiseQuotient(lengths);
}

}  // namespace raak

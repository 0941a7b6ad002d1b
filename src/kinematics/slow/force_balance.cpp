#include "kinematics/slow/force_balance.h"

#include <limits>

#include "kinematics/rank/constraint_frame.h"

namespace raak {

void balance_forces(const ConstrainedSystem& system, State& state) {
  const Eigen::Index n = system.coordinates(), m = system.rows();
  Matrix M(n, n), G(m, n);
  Vector f(n);
  system.mass(state.t, state.q, M);
  system.force(state.t, state.q, state.v, f);
  system.jacobian(state.t, state.q, G);
  const Vector& scales = system.coordinate_scales();
  const ConstraintFrame frame(G * scales.asDiagonal());
  state.lambda.setConstant(m, std::numeric_limits<double>::quiet_NaN());
  if (frame.is_finite() && frame.rank(RankPolicy::zero) == m)
    state.lambda = frame.multipliers(scales.cwiseProduct(f - M * state.a));
}

}  // namespace raak

#include "kinematics/start/branch_rates.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "kinematics/rank/constraint_frame.h"
#include "kinematics/rank/quadratic_zeros.h"

namespace raak {

std::vector<Vector> branch_velocities(const ConstrainedSystem& system, int given, const State& motion) {
  constexpr Eigen::Index most_directions = 100;  // the work grows with their third power
  const double speed = motion.v.size() > 0 ? motion.v.cwiseAbs().maxCoeff() : 0.0;
  const Eigen::Index m = system.rows() - given;
  if (m == 0 || !(speed > 0.0) || !std::isfinite(speed) || !system.has_dense_matrices()) return {motion.v};
  Matrix G(system.rows(), system.coordinates());
  system.jacobian(motion.t, motion.q, G);
  const ConstraintFrame all(G), rows(G.topRows(m));
  if (!all.is_finite() || rows.is_regular() || rows.rank() == m) return {motion.v};
  const Vector& lengths = all.lengths();
  const Matrix null_space = rows.dependences(rows.rank_by_values());
  Matrix open = all.motions(all.rank_by_values());
  if (open.cols() == 0 || open.cols() > std::min(most_directions, null_space.cols())) return {motion.v};
  for (Eigen::Index j = 0; j < open.cols(); ++j) open.col(j) *= speed / open.col(j).cwiseAbs().maxCoeff();
  // w' bias along the directions; the bias is quadratic in v.
  Vector bias(system.rows());
  const auto scaled_bias = [&](const Vector& v) {
    system.acceleration_bias(motion.t, motion.q, v, bias);
    return Vector(bias.head(m).cwiseQuotient(lengths.head(m)));
  };
  double scale = speed * speed;
  for (Eigen::Index j = 0; j < open.cols(); ++j)
    for (const double side : {-1.0, 0.0, 1.0})
      scale = std::max(scale, scaled_bias(motion.v + side * open.col(j)).cwiseAbs().maxCoeff());
  const QuadraticEquations equations = [&](const Vector& z) {
    return Vector(null_space.transpose() * scaled_bias(motion.v + open * z) / scale);
  };
  // Rates that happen to belong to a motion leave the choice open all the same where others belong to another one: but
  // not along directions in which nothing opens, as those of joints that are redundant everywhere.
  const auto holds_around = [&] {
    std::minstd_rand random(1);
    std::uniform_real_distribution<double> any(-1.0, 1.0);
    for (int i = 0; i < 3; ++i) {
      Vector z(open.cols());
      for (double& entry : z) entry = any(random);
      if (!are_zero(equations(z))) return false;
    }
    return true;
  };
  if (are_zero(equations(Vector::Zero(open.cols()))) && holds_around()) return {motion.v};
  const std::vector<Vector> zeros = quadratic_zeros(equations, open.cols());
  if (zeros.empty()) return {motion.v};  // refused where the accelerations are asked for
  std::vector<Vector> velocities;
  velocities.reserve(zeros.size());
  for (const Vector& z : zeros) velocities.emplace_back(motion.v + open * z);
  return velocities;
}

}  // namespace raak

#include "kinematics/start/singular_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/text/some_of.h"
#include "kinematics/rank/constraint_frame.h"
#include "kinematics/rank/rank_policy.h"
#include "kinematics/start/start_failure.h"

namespace raak {
namespace {

constexpr double off_branch = 1e-6;  // relative violation of the rows at the level of accelerations
constexpr double way_beside = 0.01;  // rad or m of the fastest component, to the configurations beside
// rad and lengths of the mechanism a second: what is slower moves nothing by more than rounding in the age of the
// universe, and comes from rounding itself.
constexpr double rest = 5e-34;

bool moves(const ConstrainedSystem& system, const Vector& v) {
  const double speed = v.cwiseQuotient(system.coordinate_scales()).cwiseAbs().maxCoeff();
  return speed > rest && std::isfinite(speed);
}

// The accelerations a time `ahead` along the branch of the velocities.
bool accelerations_beside(const ConstrainedSystem& system, const State& start, double ahead, Vector& a) {
  State there = start;
  there.t += ahead;
  there.q += ahead * start.v;
  double residual = 1.0;
  for (int i = 0; i < 12 && residual > 1e-13; ++i) residual = system.correct_position(there.t, there.q.data());
  const double moved = (there.q - start.q - ahead * start.v).cwiseAbs().maxCoeff();
  if (!(residual < 1e-10) || !(moved < 0.2 * way_beside)) return false;
  system.correct_velocity(there.t, there.q.data(), there.v.data());
  const double pivot = update_accelerations(system, there);
  a = there.a;
  return pivot > RankPolicy::resolved_pivot && a.allFinite();
}

}  // namespace

void require_branch(const ConstrainedSystem& system, const State& state) {
  const double speed = state.v.cwiseAbs().maxCoeff();
  if (system.rows() == 0 || !system.has_dense_matrices() || !moves(system, state.v)) return;
  Matrix G(system.rows(), system.coordinates());
  Vector bias(system.rows());
  system.jacobian(state.t, state.q, G);
  system.acceleration_bias(state.t, state.q, state.v, bias);
  const auto frame = ConstraintFrame::with_alike_lengths(G);
  if (!frame.is_finite() || !bias.allFinite()) return;  // what comes after reports it
  if (frame.is_regular() || frame.rank() == G.rows()) return;
  const Matrix null_space = frame.dependences(frame.rank_by_values());
  const auto violation = [&] { return Vector(null_space.transpose() * bias.cwiseQuotient(frame.lengths())); };
  const Vector violated = violation();
  const double scale =
      bias.cwiseQuotient(frame.lengths()).cwiseAbs().maxCoeff() + frame.svd().singular_values()[0] * speed * speed;
  if (violated.size() == 0 || violated.cwiseAbs().maxCoeff() <= off_branch * scale) return;
  // Drivers that accelerate apart do so whatever the velocities are: that is reported when they have left each other.
  system.acceleration_bias(state.t, state.q, Vector::Zero(state.v.size()), bias);
  if ((violation() - violated).cwiseAbs().maxCoeff() <= off_branch * scale) return;
  std::set<std::string> joints;
  for (Eigen::Index i = 0; i < G.rows(); ++i) {
    const Row& row = system.description().constraints[static_cast<std::size_t>(i)];
    if (std::abs(null_space.row(i) * violated) > 1e-3 * violated.norm()) joints.insert(row.owner);
  }
  constexpr std::size_t most_shown = 8;
  throw StartFailure(
      StartFailure::Cause::singular,
      fmt::format(
          "the start is a singular configuration where several motions cross, and the velocities belong to none of "
          "them: {} would open ({:.2g} m/s^2 beyond what accelerations can close)",
          some_of({joints.begin(), joints.end()}, most_shown),
          violated.cwiseAbs().maxCoeff() * system.row_units().maxCoeff()),
      "give the rates of all bodies that move, or start a little beside the configuration");
}

bool complete_singular_start(const ConstrainedSystem& system, State& state) {
  const double speed = state.v.cwiseAbs().maxCoeff();
  if (system.rows() == 0 || !moves(system, state.v) || system.velocity_rows() > 0 || !system.has_dense_matrices())
    return false;
  require_branch(system, state);
  const double time = way_beside / speed;
  Vector before, after, mean[2];
  for (int i = 0; i < 2; ++i) {
    const double ahead = (i + 1) * time;
    if (!accelerations_beside(system, state, -ahead, before) || !accelerations_beside(system, state, ahead, after))
      return false;
    mean[i] = 0.5 * (before + after);
  }
  state.a = (4.0 * mean[0] - mean[1]) / 3.0;
  state.lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
  return true;
}

}  // namespace raak

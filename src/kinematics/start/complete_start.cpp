#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "kinematics/rank/constraint_frame.h"
#include "kinematics/rank/rank_policy.h"
#include "kinematics/rank/scaled_view.h"
#include "kinematics/start/consistent_start.h"
#include "kinematics/start/singular_start.h"
#include "kinematics/start/start_failure.h"
#include "kinematics/start/start_refusals.h"

namespace raak {
namespace {

constexpr double same_values = 1e-9;  // relative: rounding of another way to the same accelerations
constexpr double rows_fit = 1e-3;     // relative, of G a = bias, where nothing else determines the accelerations
// Rows that are weak, but not by this much, still determine the accelerations: such a start is near a singular
// configuration, not in it.
constexpr double vanishing = 0.1 * RankPolicy::weak;

// A pivot is relative to its row, so that a row that vanishes as a whole does not show in it; and rows of which many
// become dependent at once leave pivots of rounding that are not small.
bool rows_are_dependent(const ConstrainedSystem& system, const State& state, double pivot) {
  if (system.rows() == 0 || !system.has_dense_matrices()) return false;
  const ConstraintFrame frame(system, state.t, state.q);
  if (frame.lengths().minCoeff() < vanishing * frame.lengths().maxCoeff()) return true;
  return pivot <= RankPolicy::regular * RankPolicy::regular && frame.is_finite() &&
         frame.rank_by_values(vanishing) < system.rows();
}

// Massless coordinates that constraints fix have forces that the equations of motion determine, but no elimination of
// the mass matrix does.
void require_massive_coordinates(const ConstrainedSystem& system, const State& state) {
  Vector diagonal(system.coordinates());
  system.mass_diagonal(state.t, state.q, diagonal);
  for (int i = 0; i < system.coordinates(); ++i)
    if (!(std::abs(diagonal[i]) > 0.0))
      throw StartFailure(StartFailure::Cause::massless,
                         fmt::format("coordinate \"{}\" has no mass, and nothing can be integrated without",
                                     system.description().coordinates[static_cast<std::size_t>(i)]),
                         "give it a mass, however small, or leave it out of the equations");
}

bool complete_scaled(const ConstrainedSystem& system, State& state) {
  const ScaledView view(system);
  State scaled = view.scaled(state);
  if (!complete_singular_start(view, scaled)) return false;
  state = view.unscaled(std::move(scaled));
  return true;
}

[[noreturn]] void refuse_singular_start(const ConstrainedSystem& system, const State& state) {
  const RankReport rank = constraint_rank(system, state.t, state.q);
  const std::string dependent = !system.has_dense_matrices() ? "are dependent" : fmt::format("have rank {}", rank.rank);
  const bool rests = !(state.v.cwiseAbs().maxCoeff() > 0.0);
  using Cause = StartFailure::Cause;
  if (rests)
    throw StartFailure(
        Cause::singular,
        fmt::format(
            "the start is at rest in a singular configuration: the {} constraints {} there. More than one motion "
            "begins there, and at rest nothing decides which of them is taken",
            system.rows(), dependent),
        "start a little beside the configuration, or give the rates of all bodies that move");
  throw StartFailure(
      Cause::singular,
      fmt::format("the start is a singular configuration: the {} constraints {} there, so accelerations and "
                  "multipliers are not determined",
                  system.rows(), dependent),
      "start a little beside it; if it is so in every configuration, leave out the constraints that repeat "
      "others");
}

}  // namespace

void require_sizes(const ConstrainedSystem& system, const State& start) {
  const auto require = [](const char* what, Eigen::Index found, int expected) {
    if (found != expected)
      throw Error(
          ErrorKind::request,
          fmt::format("the start has {} {}, and the system {}. Expected: a consistent start, which fills all of "
                      "them from positions and velocities",
                      found, what, expected));
  };
  require("positions (q)", start.q.size(), system.coordinates());
  require("velocities (v)", start.v.size(), system.coordinates());
  require("accelerations (a)", start.a.size(), system.coordinates());
  require("multipliers (lambda)", start.lambda.size(), system.rows());
}

namespace {

bool is_determined(const ConstrainedSystem& system, const State& completed, double pivot) {
  return pivot > RankPolicy::lost_pivot && completed.a.allFinite() && !rows_are_dependent(system, completed, pivot);
}

bool are_alike(const Vector& found, const Vector& expected) {
  if (found.size() == 0) return true;
  return (found - expected).cwiseAbs().maxCoeff() <= same_values * expected.cwiseAbs().maxCoeff();
}

// Of accelerations that the equations do not determine: that no constraint row opens.
bool keep_rows_closed(const ConstrainedSystem& system, const State& state) {
  if (!state.a.allFinite()) return false;
  if (system.rows() == 0 || !system.has_dense_matrices()) return true;
  const ScaledView view(system);
  const State at = view.scaled(state);
  Matrix G(system.rows(), system.coordinates());
  Vector bias(system.rows());
  view.jacobian(at.t, at.q, G);
  view.acceleration_bias(at.t, at.q, at.v, bias);
  const double scale = bias.cwiseAbs().maxCoeff() + G.cwiseAbs().maxCoeff() * at.a.cwiseAbs().maxCoeff();
  return (G * at.a - bias).cwiseAbs().maxCoeff() <= rows_fit * scale;
}

}  // namespace

bool complete_start(const ConstrainedSystem& system, State& state) {
  require_sizes(system, state);
  double pivot = update_accelerations(system, state);
  if (rows_are_dependent(system, state, pivot)) pivot = 0.0;
  if (pivot > RankPolicy::lost_pivot && state.a.allFinite()) return true;
  if (complete_scaled(system, state)) return false;
  require_massive_coordinates(system, state);
  const RankReport rank = constraint_rank(system, state.t, state.q);
  const bool singular = rank.rank < system.rows() || (!system.has_dense_matrices() && state.a.allFinite());
  if (singular || pivot == 0.0) refuse_singular_start(system, state);
  refuse_undefined_forces(system, state);
}

bool complete_regular_start(const ConstrainedSystem& system, State& state) {
  return update_accelerations(system, state) > RankPolicy::lost_pivot && state.a.allFinite();
}

State completed_start(const ConstrainedSystem& system, const State& start) {
  State completed = start;
  const double pivot = update_accelerations(system, completed);
  if (are_alike(start.a, completed.a) && are_alike(start.lambda, completed.lambda)) return start;
  if (is_determined(system, completed, pivot)) return completed;
  completed = start;
  if (complete_scaled(system, completed)) return completed;
  if (!keep_rows_closed(system, start)) complete_start(system, completed);
  else if (!start.lambda.allFinite()) completed.lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
  return completed;
}

}  // namespace raak

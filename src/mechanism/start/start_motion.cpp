#include "mechanism/start/start_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/text/text.h"
#include "kinematics/rank/constraint_frame.h"
#include "kinematics/rank/scaled_view.h"
#include "kinematics/start/branch_rates.h"
#include "kinematics/start/consistent_start.h"
#include "kinematics/start/singular_start.h"
#include "kinematics/start/start_failure.h"
#include "kinematics/start/start_positions.h"
#include "mechanism/bodies/body_frames.h"
#include "mechanism/bodies/mechanism_size.h"
#include "mechanism/bodies/placement.h"
#include "mechanism/start/arc_guesses.h"
#include "mechanism/start/listed_bodies.h"

namespace raak {
namespace {

constexpr std::size_t most_rates_shown = 6;
constexpr double much_nearer = 0.5;

// The mechanism with all rows, as `complete` has them, and those of given values. Rows of given positions say nothing
// of velocities, so that the two levels have a system each.
class HoldingSystem {
 public:
  HoldingSystem(const MaximalFormulas& formulas, const ConstrainedSystem& complete,
                const std::vector<GivenValue>& positions, const std::vector<GivenValue>& velocities)
      : system_(complete) {
    if (positions.empty() && velocities.empty()) return;
    const auto holding = std::make_shared<const MaximalFormulas>(formulas.holding(positions, velocities));
    own_.emplace(holding, holding->instance().coordinates(), holding->position_rows(), holding->velocity_rows(),
                 describe(*holding));
  }
  const ConstrainedSystem& system() const { return own_ ? *own_ : system_; }

 private:
  const ConstrainedSystem& system_;
  std::optional<RecordedSystem> own_;
};

[[noreturn]] void refuse_crossing(const ConstrainedSystem& complete, const ScaledView& view, State motion,
                                  const std::vector<Vector>& branches) {
  const std::vector<std::string>& names = complete.reported().velocities;
  const double fastest = motion.v.cwiseAbs().maxCoeff() * std::min(1.0, complete.description().length);
  std::vector<Vector> rates;
  for (std::size_t branch = 0; branch < 2; ++branch) {
    motion.v = branches[branch];
    motion.lambda.resize(0);
    State bodies = view.unscaled(motion);
    bodies.lambda = Vector::Zero(complete.rows());
    State shown;
    complete.report_motion(bodies, shown);
    rates.push_back(shown.v);
  }
  std::vector<std::string> texts;
  for (const Vector& of : rates) {
    std::vector<std::string> parts;
    for (Eigen::Index i = 0; i < of.size(); ++i)
      if (std::abs(rates[0][i] - rates[1][i]) > 1e-6 * fastest && parts.size() < most_rates_shown)
        parts.push_back(fmt::format("\"{}\" = {:.6g}", rate_name(names[static_cast<std::size_t>(i)]),
                                    std::abs(of[i]) < 1e-6 * fastest ? 0.0 : of[i]));
    texts.push_back(join(parts));
  }
  throw StartFailure(
      StartFailure::Cause::singular,
      fmt::format("the start is a singular configuration where two motions or more cross: one has {}; another {}",
                  texts[0], texts[1]),
      "trust one of these rates under [start], or start a little beside the configuration");
}

// Chains along arcs, in the coordinates of the system, with the smallest gaps in its rows first.
std::vector<Vector> arc_guesses_of(const MaximalFormulas& formulas, const ScaledView& system, double t,
                                   const std::vector<std::string>& velocities) {
  const Vector rest = Vector::Zero(static_cast<Eigen::Index>(velocities.size()));
  const auto inner = [&](const Vector& shown) {
    return system.scaled(inner_state(formulas.instance(), t, shown, rest)).q;
  };
  Vector g(system.position_rows());
  std::vector<Vector> guesses = arc_guesses(formulas.instance(), velocities, [&](const Vector& shown) {
    system.constraint(t, inner(shown), g);
    return g.norm();
  });
  for (Vector& q : guesses) q = inner(q);
  return guesses;
}

// Whether all these are angles in the plane, which are coordinates of the system themselves.
bool are_angles(const Instance& instance, const ReportedNames& reported, const std::vector<std::string>& names) {
  return instance.planar() && std::all_of(names.begin(), names.end(), [&](const std::string& name) {
           const auto found = std::find(reported.positions.begin(), reported.positions.end(), name);
           return found != reported.positions.end() &&
                  reported.position_units[static_cast<std::size_t>(found - reported.positions.begin())] == "rad";
         });
}

// The motion by the rows of the mechanism, which are recorded anyway, where angles only are given and its rows are
// independent there. None elsewhere, and where anything is wrong: that is reported with rows for what is given.
std::optional<State> find_regular_motion(const Instance& instance, const ReportedNames& names,
                                         const ScaledView& complete, const StartRequest& start,
                                         const StartRequest& inner, const std::vector<std::string>& rates) {
  if (complete.velocity_rows() > 0 || !are_angles(instance, names, start.trusted_positions) ||
      !are_angles(instance, names, rates))
    return std::nullopt;
  StartRequest request = inner;
  request.trusted_positions = start.trusted_positions;
  request.trusted_velocities = rates;
  try {
    State motion = make_consistent_motion(complete, request);
    if (complete.rows() == 0) return motion;
    if (complete.rows() > complete.coordinates()) return std::nullopt;
    Matrix G(complete.rows(), complete.coordinates());
    complete.jacobian(motion.t, motion.q, G);
    if (!ConstraintFrame(G).is_regular()) return std::nullopt;
    return motion;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::computation) throw;
    return std::nullopt;
  }
}

// A configuration near what is listed: first all of that is held and the other bodies find their places, as near as
// they can; from there the search is the usual one. None where it finds none.
Vector positions_near_listed(const MaximalFormulas& formulas, const ConstrainedSystem& complete,
                             const std::vector<GivenValue>& listed, const ScaledView& trusting, const Vector& metric,
                             const StartRequest& request) {
  const HoldingSystem with_listed(formulas, complete, listed, {});
  StartRequest near = request;
  near.other_guesses = {};
  near.q = find_positions(ScaledView(with_listed.system(), metric), near, {}).q;
  if (!near.q.allFinite()) return {};
  PositionSolution found = solve_positions(trusting, near, {});
  return found.converged ? std::move(found.q) : Vector{};
}

}  // namespace

std::vector<std::string> rates_given(const ReportedNames& names, const StartRequest& start) {
  std::vector<std::string> given = start.trusted_velocities;
  const std::set<std::string> trusted(given.begin(), given.end());
  for (std::size_t i = 0; i < names.velocities.size(); ++i)
    if (start.v[static_cast<Eigen::Index>(i)] != 0.0 && !trusted.contains(names.velocities[i]))
      given.push_back(names.velocities[i]);
  return given;
}

// All of the search is done in lengths of the mechanism and in a metric of geometry: what is found does not depend on
// its size, nor on what its bodies weigh.
State find_motion(const std::shared_ptr<const MaximalFormulas>& formulas, const ConstrainedSystem& system,
                  const StartRequest& start) {
  const ReportedNames names = reported_names(*formulas);
  const Vector metric = metric_of_geometry(formulas->instance());
  const ScaledView complete(system, metric);
  const State given_state = inner_state(formulas->instance(), start.t, start.q, start.v);
  const State guess = complete.scaled(given_state);
  StartRequest request;
  request.t = start.t;
  request.q = guess.q;
  request.v = guess.v;
  request.allow_free = true;
  Vector gaps(system.position_rows());
  system.constraint(request.t, given_state.q, gaps);
  request.bounds = bounds_around(*formulas, given_state.q, gaps);
  request.bounds.size /= formulas->instance().length();
  request.bounds.given = guess.q;
  const BodyFrames frames(formulas->instance());
  request.frames = &frames;
  const std::vector<std::string> given = rates_given(names, start);
  const ListedBodies bodies(formulas->instance(), names.velocities);
  const auto distance = [&](const Vector& q) {
    State found = guess;
    found.q = q;
    return bodies.distance(given_state.q, complete.unscaled(found).q);
  };
  if (const auto motion = find_regular_motion(formulas->instance(), names, complete, start, request, given);
      motion && !bodies.is_far(distance(motion->q)))
    return complete.unscaled(*motion);
  const auto positions = given_values(names.positions, start.q, start.trusted_positions);
  request.look_around = true;
  const HoldingSystem with_positions(*formulas, system, positions, {});
  const ScaledView trusting(with_positions.system(), metric);
  request.other_guesses = [&] { return arc_guesses_of(*formulas, trusting, start.t, names.velocities); };
  Vector q = make_consistent_positions(trusting, request);
  if (const double moved = distance(q); bodies.is_far(moved)) {
    const auto listed = given_values(names.positions, start.q, bodies.coordinates(names.positions));
    const Vector near = positions_near_listed(*formulas, system, listed, trusting, metric, request);
    if (near.size() > 0 && distance(near) < much_nearer * moved) q = near;
  }
  request.q = q;
  request.correct_positions = false;
  const auto motion_with = [&](const std::vector<std::string>& held) {
    const auto rates = given_values(names.velocities, start.v, held);
    const HoldingSystem with_rates(*formulas, system, {}, rates);
    const ScaledView holding(with_rates.system(), metric);
    State motion = make_consistent_motion(holding, request);
    const std::vector<Vector> branches = branch_velocities(holding, static_cast<int>(rates.size()), motion);
    if (branches.size() > 1) refuse_crossing(system, holding, motion, branches);
    motion.v = branches.front();
    motion.lambda.resize(0);  // they are those of the rates that are held too, and of no use here
    return motion;
  };
  State motion;
  if (given.size() > start.trusted_velocities.size()) {
    try {
      motion = motion_with(given);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::computation) throw;
    }
  }
  if (motion.q.size() == 0) motion = motion_with(start.trusted_velocities);
  // With all rows: in a configuration from which the velocities lead to no motion none can be called redundant.
  require_branch(complete, motion);
  return complete.unscaled(motion);
}

}  // namespace raak

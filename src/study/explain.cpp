#include "study/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/svd.h"
#include "base/text.h"

namespace raak {
namespace {

constexpr double near_singular = 1e-3, rank_threshold = 1e-10;
constexpr double shared_weight = 0.3;  // of a constraint in a singular vector of length 1

std::string names_of(const Conditioning& conditioning) {
  std::vector<std::string> names;
  for (const auto& [name, weight] : conditioning.rows) names.push_back("\"" + name + "\"");
  return join(names);
}

// Follows the run: the pose nearest to a singular one, the largest violation, the shortest step.
class Watch {
 public:
  Watch(const ConstrainedSystem& system, Explanation& found)
      : system_(system), found_(found), g_(system.position_rows()) {}

  void sample(const Sample& sample) {
    const State& state = sample.state;
    if (!state.q.allFinite()) return;
    if (Conditioning now = conditioning_at(system_, state.t, state.q); now.ratio < found_.worst.ratio)
      found_.worst = std::move(now);
    if (system_.position_rows() == 0) return;
    system_.constraint(state.t, state.q, g_);
    Eigen::Index row = 0;
    const double violation = g_.cwiseAbs().maxCoeff(&row);
    if (!(violation > found_.worst_violation)) return;
    found_.worst_violation = violation;
    found_.violation_time = state.t;
    found_.worst_constraint = system_.description().constraints[static_cast<std::size_t>(row)];
  }
  void step(const StepReport& step) {
    const double h = std::abs(step.h);
    if (found_.shortest_step > 0.0 && h >= found_.shortest_step) return;
    found_.shortest_step = h;
    found_.shortest_step_time = step.t;
  }

 private:
  const ConstrainedSystem& system_;
  Explanation& found_;
  Vector g_;
};

void conclude(Explanation& found, Explanation::Cause cause, std::string finding, std::string advice) {
  found.cause = cause;
  found.finding = std::move(finding);
  found.advice = std::move(advice);
}

bool mentions(const std::string& text, const char* words) {
  return text.find(words) != std::string::npos;
}

void explain_failure(Explanation& found) {
  using Cause = Explanation::Cause;
  const std::string& message = found.result.message;
  if (mentions(message, "grows without bound")) {
    conclude(found, Cause::blow_up, message, "check the signs and sizes of the forces that act on it");
  } else if (found.worst.ratio < near_singular) {
    conclude(
        found, Cause::singular_pose,
        fmt::format("at t = {:.6g} s the mechanism is {:.1e} from a singular pose, which the constraints {} share. {}",
                    found.worst.t, found.worst.ratio, names_of(found.worst), message),
        "start on another branch, or change a length so that these constraints do not line up");
  } else {
    conclude(found, Cause::undefined, message, "end the run before that time, or check the parameters");
  }
}

void explain_success(Explanation& found, const Plan& plan) {
  using Cause = Explanation::Cause;
  for (const std::string& warning : found.result.warnings) {
    if (mentions(warning, "double precision")) {
      return conclude(found, Cause::tolerance_below_precision, warning, "--rtol 1e-13 asks for what double can give");
    }
  }
  if (found.worst.ratio < near_singular) {
    return conclude(
        found, Cause::singular_pose,
        fmt::format("it passes a pose {:.1e} from a singular one at t = {:.6g} s, which the constraints {} share",
                    found.worst.ratio, found.worst.t, names_of(found.worst)),
        "trust the multipliers near that time less than the motion; a tighter --rtol helps");
  }
  if (mentions(found.result.method, "radau") && plan.method == "auto") {
    return conclude(
        found, Cause::stiffness,
        fmt::format("it is stiff: \"auto\" had to use {}, because fast vibrations or strong damping limit other steps",
                    found.result.method),
        "nothing is wrong; --method radau says so from the start");
  }
  found.finding = "nothing is wrong with it";
}

}  // namespace

Conditioning conditioning_at(const ConstrainedSystem& system, double t, const Vector& q) {
  Conditioning found;
  found.t = t;
  const Eigen::Index m = system.rows(), n = system.coordinates();
  if (m == 0) return found;
  Matrix G(m, n), M(n, n);
  system.jacobian(t, q, G);
  system.mass(t, q, M);
  // Rows and columns in comparable units, so that a metre does not weigh more than a radian.
  Matrix J = G * M.diagonal().cwiseSqrt().cwiseInverse().asDiagonal();
  if (!J.allFinite()) return found;
  for (Eigen::Index i = 0; i < m; ++i) {
    if (const double length = J.row(i).norm(); length > 0.0) J.row(i) /= length;
  }
  const Svd svd(J);
  const Vector& sigma = svd.singular_values();
  const Eigen::Index last = std::min(m, n) - 1;
  found.ratio = m > n ? 0.0 : sigma[last] / sigma[0];
  const auto& names = system.description().constraints;
  for (Eigen::Index i = 0; i < m; ++i) {
    const double weight = std::abs(svd.left_vectors()(i, last));
    if (weight >= shared_weight) found.rows.emplace_back(names[static_cast<std::size_t>(i)], weight);
  }
  std::stable_sort(found.rows.begin(), found.rows.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return found;
}

const std::string& cause_name(Explanation::Cause cause) {
  static const std::array<std::string, 8> names{
      "none",      "impossible assembly", "dependent constraints",    "singular pose", "blow-up",
      "undefined", "stiffness",           "tolerance below precision"};
  return names.at(static_cast<std::size_t>(cause));
}

Explanation explain_model(const Model& model, const Plan& plan) {
  using Cause = Explanation::Cause;
  const ConstrainedSystem& system = *model.system;
  Explanation found;
  found.coordinates = system.coordinates();
  found.rows = system.rows();
  State start;
  try {
    start = consistent_start(model);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::computation) throw;
    // The start of a mechanism is given in the coordinates that it reports.
    if (model.start.q.size() == system.coordinates())
      found.start = conditioning_at(system, model.start.t, model.start.q);
    const bool dependent = found.start.ratio < rank_threshold;
    conclude(found, dependent ? Cause::dependent_constraints : Cause::impossible_assembly,
             dependent ? fmt::format("the constraints {} depend on each other at the start: {}", names_of(found.start),
                                     error.what())
                       : error.what(),
             dependent ? "take one of them away, or start a little beside this pose"
                       : "check lengths and ground points, or guess a start on another branch");
    return found;
  }
  found.assembled = true;
  const RankReport rank = constraint_rank(system, start.t, start.q);
  found.rank = rank.rank;
  found.mobility = rank.mobility;
  found.start = found.worst = conditioning_at(system, start.t, start.q);
  Watch watch(system, found);
  Plan watched = plan;
  watched.step_taken = [&](const StepReport& step) { watch.step(step); };
  found.result = integrate(system, start, watched, [&](const Sample& sample) { watch.sample(sample); });
  if (found.result.termination == Termination::failed) explain_failure(found);
  else explain_success(found, plan);
  return found;
}

}  // namespace raak

#include "study/explain/failed_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/sort_stably.h"
#include "base/text/some_of.h"
#include "kinematics/start/open_joints.h"
#include "run/diagnosis/diagnosis.h"

namespace raak {
namespace {

// Where the gaps are least in squares they are a left null vector of the Jacobian, J'g = 0, in the directions that rows
// that hold by definition leave. Of all such vectors, where there are several, it is the one that matters: its rows
// cannot all hold.
bool name_open_rows(const ConstrainedSystem& system, const State& nearest, Conditioning& to) {
  constexpr double closed = 1e-9, share = 0.3;  // SI; of the largest gap
  if (system.position_rows() == 0) return false;
  Vector g(system.position_rows());
  system.constraint(nearest.t, nearest.q, g);
  g(normalization_rows(system.description().constraints)).setZero();
  if (!g.allFinite() || g.norm() < closed) return false;
  const auto dependent = std::exchange(to.rows, {});
  const double largest = g.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < g.size(); ++i)
    if (std::abs(g[i]) >= share * largest)
      to.rows.emplace_back(system.description().constraints[static_cast<std::size_t>(i)], std::abs(g[i]) / g.norm());
  // The configuration is known to a few digits: rows of equal gaps keep their order.
  const auto share_of = [](const auto& row) { return std::round(1e4 * row.second); };
  sort_stably(to.rows, [&](const auto& a, const auto& b) { return share_of(a) > share_of(b); });
  // One joint cannot contradict itself: where the gap has gone into one of them, the others that it depends on hold.
  const auto is_other = [&](const auto& row) { return row.first.owner != to.rows.front().first.owner; };
  if (std::none_of(to.rows.begin(), to.rows.end(), is_other))
    std::copy_if(dependent.begin(), dependent.end(), std::back_inserter(to.rows), is_other);
  return true;
}

// "rod", "rod2": the joints that the rows belong to.
std::vector<std::string> owners_of(const Conditioning& conditioning) {
  std::vector<std::string> owners;
  for (const auto& [row, weight] : conditioning.rows) {
    std::string owner = fmt::format("\"{}\"", row.owner);
    if (std::find(owners.begin(), owners.end(), owner) == owners.end()) owners.push_back(std::move(owner));
  }
  return owners;
}

}  // namespace

std::pair<std::string, std::string> finding_and_advice(const Error& error) {
  const auto* const failure = dynamic_cast<const StartFailure*>(&error);
  if (failure == nullptr) return {error.what(), ""};
  return {failure->finding(), failure->advice()};
}

void name_sharing(Result& result, const Model& model) {
  if (!result.diagnosis || result.diagnosis->cause != Diagnosis::Cause::contradictory_constraints || !model.mobility)
    return;
  auto& rows = result.diagnosis->conditioning.rows;
  rows.clear();
  for (const std::string& joint : model.mobility->sharing) rows.emplace_back(joint, std::nan(""));
  result.message = text_of(*result.diagnosis);
}

// A start that cannot be found: rows that depend on each other wherever the bodies are contradict each other.
void explain_failed_start(Explanation& found, const Model& model, const Error& error) {
  using Cause = Explanation::Cause;
  const ConstrainedSystem& system = *model.system;
  State nearest = State::of_size(system.coordinates(), system.rows());
  nearest.t = model.start.t;
  nearest.v.setZero();
  nearest.a.setZero();
  // The start of a mechanism is given in the coordinates that it reports.
  const bool has_start = model.start.q.size() == system.coordinates();
  if (has_start) {
    found.start = conditioning_at(system, model.start.t, model.start.q);
    nearest.q = least_open_configuration(system, model.start.t, model.start.q,
                                         normalization_rows(system.description().constraints));
  }
  using Failure = StartFailure::Cause;
  const auto* const failure = dynamic_cast<const StartFailure*>(&error);
  const auto failed_by = [&](Failure cause) { return failure != nullptr && failure->cause() == cause; };
  const auto [words, advice] = finding_and_advice(error);
  if (failed_by(Failure::not_smooth)) return conclude(found, Cause::no_smooth_start, words, advice);
  Conditioning anywhere = conditioning_anywhere(system, model.start.t);
  const bool open = has_start && anywhere.ratio < RankPolicy::zero && name_open_rows(system, nearest, anywhere);
  // Redundant joints that close do not contradict each other: a given value does not fit them.
  const bool only_given = has_start && !open && failed_by(Failure::unreachable_values);
  const bool stays_open = failure != nullptr && !failure->open().empty();
  if (failed_by(Failure::undefined) || failed_by(Failure::not_finite)) {
    conclude(found, Cause::undefined, words, advice);
  } else if (anywhere.ratio < RankPolicy::zero && !only_given && owners_of(anywhere).size() == 1) {
    found.start = anywhere;
    const std::string owner = owners_of(anywhere).front();
    conclude(found, Cause::contradictory_constraints,
             fmt::format("the constraint {} cannot hold, whatever the configuration: {}", owner, words),
             fmt::format("change {} or take it away", owner));
  } else if (anywhere.ratio < RankPolicy::zero && !only_given) {
    found.start = anywhere;
    conclude(found, Cause::contradictory_constraints,
             fmt::format(
                 "the constraints {} act on the same motion, whatever the configuration, and contradict each other: {}",
                 names_of(anywhere), words),
             fmt::format("take one of {} away, or change the dimensions so that all of them close",
                         some_of(owners_of(anywhere))));
  } else if (failed_by(Failure::singular)) {
    conclude(found, Cause::singular_configuration, words, advice);
  } else if (found.start.ratio < RankPolicy::zero && !stays_open) {
    conclude(found, Cause::contradictory_constraints,
             fmt::format("the constraints {} depend on each other at the start, and cannot all hold: {}",
                         names_of(found.start), words),
             "take one of them away, or start a little beside this configuration");
  } else {
    conclude(found, Cause::impossible_assembly, words,
             !advice.empty() ? advice : "check lengths and ground points, or guess a start on another branch");
  }
  found.diagnosis.emplace();
  if (has_start) found.diagnosis = look_around(system, nearest, nearest, 0.0);
  found.diagnosis->growing.clear();  // nothing has moved yet
  found.diagnosis->growth = found.diagnosis->grown_to = 0.0;
  found.diagnosis->cause = found.cause;
  found.diagnosis->t = model.start.t;
  found.diagnosis->because = found.finding;
  found.diagnosis->advice = found.advice;
  // Where the gaps are least, they are a left null vector of the Jacobian: the rows that share it cannot all hold.
  if (found.cause == Cause::impossible_assembly && has_start)
    name_open_rows(system, nearest, found.diagnosis->conditioning);
  if (found.cause == Cause::contradictory_constraints || !has_start) found.diagnosis->conditioning = found.start;
  else found.start = found.diagnosis->conditioning;
  found.worst_constraint = found.diagnosis->worst_constraint;
  found.worst_violation = found.diagnosis->worst_residual;
  found.violation_time = model.start.t;
}

}  // namespace raak

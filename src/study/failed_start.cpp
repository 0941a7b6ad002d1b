#include "study/failed_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "system/held_rows.h"
#include "system/open_joints.h"

namespace raak {
namespace {

// Where the gaps are least in squares they are a left null vector of the Jacobian, J'g = 0, in the directions that rows
// that hold by definition leave. Of all such vectors, where there are several, it is the one that matters: its rows
// cannot all hold.
void name_open_rows(const ConstrainedSystem& system, const State& nearest, Conditioning& to) {
  constexpr double closed = 1e-9, share = 0.3;  // SI; of the largest gap
  if (system.position_rows() == 0) return;
  Vector g(system.position_rows());
  system.constraint(nearest.t, nearest.q, g);
  g(held_rows(system.description())).setZero();
  if (!g.allFinite() || g.norm() < closed) return;
  to.rows.clear();
  const double largest = g.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < g.size(); ++i)
    if (std::abs(g[i]) >= share * largest)
      to.rows.emplace_back(system.description().constraints[static_cast<std::size_t>(i)], std::abs(g[i]) / g.norm());
  std::stable_sort(to.rows.begin(), to.rows.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
}

}  // namespace

// A start that cannot be found: rows that depend on each other wherever the bodies are contradict each other.
void explain_failed_start(Explanation& found, const Model& model, const Error& error) {
  using Cause = Explanation::Cause;
  const ConstrainedSystem& system = *model.system;
  State nearest = State::of_size(system.coordinates(), system.rows());
  nearest.t = model.start.t;
  nearest.v.setZero();
  nearest.a.setZero();
  // The start of a mechanism is given in the coordinates that it reports.
  const bool told = model.start.q.size() == system.coordinates();
  if (told) {
    found.start = conditioning_at(system, model.start.t, model.start.q);
    nearest.q = least_open_pose(system, model.start.t, model.start.q, held_rows(system.description()));
  }
  Conditioning anywhere = conditioning_anywhere(system, model.start.t);
  if (told && anywhere.ratio < dependent_rows) name_open_rows(system, nearest, anywhere);
  const bool stays_open = dynamic_cast<const AssemblyError*>(&error) != nullptr;
  if (anywhere.ratio < dependent_rows) {
    found.start = anywhere;
    conclude(found, Cause::contradictory_constraints,
             fmt::format("the constraints {} act on the same motion, whatever the pose, and contradict each other: {}",
                         names_of(anywhere), error.what()),
             "take one of them away");
  } else if (mentions(error.what(), "singular pose")) {
    conclude(found, Cause::singular_pose, error.what(),
             "trust a rate that tells the motions apart, or start beside this pose");
  } else if (found.start.ratio < dependent_rows && !stays_open) {
    conclude(found, Cause::contradictory_constraints,
             fmt::format("the constraints {} depend on each other at the start, and cannot all hold: {}",
                         names_of(found.start), error.what()),
             "take one of them away, or start a little beside this pose");
  } else {
    conclude(found, Cause::impossible_assembly, error.what(),
             "check lengths and ground points, or guess a start on another branch");
  }
  found.diagnosis.emplace();
  if (told) found.diagnosis = look_around(system, nearest, nearest, 0.0);
  found.diagnosis->cause = found.cause;
  found.diagnosis->t = model.start.t;
  found.diagnosis->because = found.finding;
  found.diagnosis->advice = found.advice;
  // Where the gaps are least, they are a left null vector of the Jacobian: the rows that share it cannot all hold.
  if (found.cause == Cause::impossible_assembly && told) name_open_rows(system, nearest, found.diagnosis->conditioning);
  if (found.cause == Cause::contradictory_constraints || !told) found.diagnosis->conditioning = found.start;
  else found.start = found.diagnosis->conditioning;
  found.worst_constraint = found.diagnosis->worst_constraint;
  found.worst_violation = found.diagnosis->worst_residual;
  found.violation_time = model.start.t;
}

}  // namespace raak

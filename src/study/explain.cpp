#include "study/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "system/open_joints.h"

namespace raak {
namespace {

// Follows the run: the pose nearest to a singular one, the largest violation, the shortest step.
class Watch {
 public:
  Watch(const ConstrainedSystem& system, Explanation& found)
      : system_(system), found_(found), g_(system.position_rows()) {}

  void sample(const Sample& sample) {
    const State& state = sample.state;
    if (!state.q.allFinite()) return;
    // A large Jacobian takes long to decompose.
    if (system_.rows() <= 60 || ++since_decomposed_ >= 20) {
      since_decomposed_ = 0;
      const Vector lengths = row_lengths(system_, state.t, state.q);
      lengths_ = lengths_.size() == lengths.size() ? lengths_.cwiseMax(lengths).eval() : lengths;
      if (Conditioning now = conditioning_at(system_, state.t, state.q, lengths_); now.ratio < found_.worst.ratio)
        found_.worst = std::move(now);
    }
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
  Vector g_, lengths_;  // the longest rows so far
  int since_decomposed_ = 0;
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
  const Diagnosis& why = *found.result.diagnosis;
  conclude(found, why.cause, found.result.message.substr(0, found.result.message.rfind(". Try:")), why.advice);
}

// Redundant joints of a mechanism that runs well: its motion is right, its reactions are not unique.
bool explain_redundancy(Explanation& found, const Model& model) {
  if (!model.mobility || model.mobility->rows <= model.mobility->rank || model.mobility->sharing.empty()) return false;
  const int redundant = model.mobility->rows - model.mobility->rank;
  const bool is_structure = model.mobility->mobility == 0 && model.mobility->drivers == 0;
  conclude(found, Explanation::Cause::dependent_constraints,
           fmt::format("{} {} of its {} constraint rows {} redundant: the joints {} do the same thing twice, and "
                       "their reactions are not unique",
                       is_structure ? "it is a structure, in which nothing can move, and" : "it runs, but", redundant,
                       model.mobility->rows, redundant == 1 ? "is" : "are", join(model.mobility->sharing)),
           is_structure ? "a joint with one freedom more, if something is to move"
                        : "nothing for the motion; for the reactions, a joint with one freedom more among them");
  return true;
}

void explain_success(Explanation& found, const Model& model, const Plan& plan) {
  using Cause = Explanation::Cause;
  for (const std::string& warning : found.result.warnings) {
    if (mentions(warning, "stiffness may limit")) return conclude(found, Cause::stiffness, warning, "--method auto");
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
  if (explain_redundancy(found, model)) return;
  found.finding = "nothing is wrong with it";
}

// A start that cannot be found: rows that depend on each other wherever the bodies are contradict each other.
void explain_assembly(Explanation& found, const Model& model, const Error& error) {
  using Cause = Explanation::Cause;
  const ConstrainedSystem& system = *model.system;
  // The start of a mechanism is given in the coordinates that it reports.
  if (model.start.q.size() == system.coordinates()) found.start = conditioning_at(system, model.start.t, model.start.q);
  const Conditioning anywhere = conditioning_anywhere(system, model.start.t);
  if (anywhere.ratio < dependent_rows) found.start = anywhere;
  if (dynamic_cast<const AssemblyError*>(&error) != nullptr) {
    const bool twice = anywhere.ratio < dependent_rows;
    return conclude(
        found, Cause::impossible_assembly,
        fmt::format("{}{}", error.what(),
                    twice ? fmt::format(". The constraints {} say the same thing twice, or contradict each "
                                        "other",
                                        names_of(anywhere))
                          : ""),
        twice ? "take one of these away" : "check lengths and ground points, or guess a start on another branch");
  }
  if (anywhere.ratio < dependent_rows) {
    return conclude(found, Cause::dependent_constraints,
                    fmt::format("the constraints {} say the same thing twice, or contradict each other: {}",
                                names_of(anywhere), error.what()),
                    "take one of them away");
  }
  if (found.start.ratio < dependent_rows) {
    return conclude(
        found, Cause::dependent_constraints,
        fmt::format("the constraints {} depend on each other at the start: {}", names_of(found.start), error.what()),
        "take one of them away, or start a little beside this pose");
  }
  conclude(found, Cause::impossible_assembly, error.what(),
           "check lengths and ground points, or guess a start on another branch");
}

}  // namespace

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
    explain_assembly(found, model, error);
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
  try {
    found.result = integrate(system, start, watched, [&](const Sample& sample) { watch.sample(sample); });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::computation) throw;
    found.result.termination = Termination::failed;
    found.result.end = start;
    found.result.outputs = Vector::Constant(static_cast<Eigen::Index>(output_names(system).size()), std::nan(""));
    const bool singular = mentions(error.what(), "singular");
    conclude(found, singular ? Cause::singular_pose : Cause::tolerance_below_precision, error.what(),
             singular ? "start on another branch" : "--method auto, or a larger --rtol");
    return found;
  }
  if (found.result.termination == Termination::failed) explain_failure(found);
  else explain_success(found, model, plan);
  return found;
}

}  // namespace raak

#include "study/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text/some_of.h"
#include "base/text/text.h"
#include "kinematics/start/start_failure.h"
#include "run/diagnosis/backward_damping.h"
#include "run/watches/growth.h"
#include "study/explain/failed_start.h"
#include "study/explain/run_watch.h"
#include "system/turn_gauge.h"

namespace raak {
namespace {

// What was seen over the whole of a run that arrived, or did not begin, for the finding that was made of it.
Diagnosis seen_of_run(const ConstrainedSystem& system, const Explanation& found, double t) {
  Diagnosis seen = look_around(system, found.result.start, found.result.end, found.shortest_step);
  seen.cause = found.cause;
  seen.t = t;
  seen.because = found.finding;
  seen.advice = found.advice;
  seen.conditioning = found.worst;
  if (!found.worst_constraint.empty()) {
    seen.worst_constraint = found.worst_constraint;
    seen.worst_residual = found.worst_violation;
  }
  return seen;
}

void explain_failure(Explanation& found, const Model& model) {
  Diagnosis& why = *found.result.diagnosis;
  name_sharing(found.result, model);
  if (why.cause == Explanation::Cause::contradictory_constraints && model.mobility) {
    found.worst = why.conditioning;
    found.worst_constraint = why.worst_constraint;
    found.worst_violation = why.worst_residual;
    found.violation_time = why.t;
  }
  const std::string& message = found.result.message;
  conclude(found, why.cause, message.substr(0, message.rfind(". Try:")), why.advice);
}

bool is_redundant(const Model& model) {
  return model.mobility && model.mobility->rows > model.mobility->rank && !model.mobility->sharing.empty();
}

std::string redundancy_words(const Model& model) {
  const int redundant = model.mobility->rows - model.mobility->rank;
  return fmt::format(
      "{} of its {} constraint rows {} redundant: the joints {} do the same thing twice, and their reactions are not "
      "unique",
      redundant, model.mobility->rows, redundant == 1 ? "is" : "are", some_of(model.mobility->sharing));
}

// Redundant joints of a mechanism that runs well: its motion is right, its reactions are not unique.
bool explain_redundancy(Explanation& found, const Model& model) {
  if (!is_redundant(model)) return false;
  const bool is_structure = model.mobility->mobility == 0 && model.mobility->drivers == 0;
  conclude(found, Explanation::Cause::redundant_constraints,
           fmt::format("{} {}", is_structure ? "it is a structure, in which nothing can move, and" : "it runs, but",
                       redundancy_words(model)),
           is_structure ? "a joint with one freedom more, if something is to move"
                        : "nothing for the motion; for the reactions, a joint with one freedom more among them");
  // The rows that are solved for are independent; all of them are not.
  found.worst = {found.result.start.t, 0.0, {}};
  for (const std::string& joint : model.mobility->sharing) found.worst.rows.emplace_back(joint, std::nan(""));
  return true;
}

// Nothing moves, and nothing can: the constraints hold every freedom, and no driver asks for a motion.
bool explain_structure(Explanation& found) {
  if (found.mobility > 0 || found.moves || found.coordinates == 0) return false;
  const auto counted = [](int count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  conclude(found, Explanation::Cause::structure,
           fmt::format("nothing moves: there are {} for {}, and no driver changes in time",
                       counted(found.rank, "independent constraint row"), counted(found.coordinates, "coordinate")),
           "a joint or a driver less, if something is to move; the reactions are those of a structure at rest");
  return true;
}

bool explain_stiffness(Explanation& found, const Plan& plan) {
  const Stiffness& stiffness = found.stiffness;
  if (!stiffness.is_stiff()) return false;
  const bool chosen = find_method(plan.method).is_for_stiffness;
  conclude(found, Explanation::Cause::stiffness,
           fmt::format("it is stiff: there is {}, {:.1g} times as fast as the motion, which changes within {:.2g} s",
                       text_of(stiffness.mode), stiffness.ratio, stiffness.time_scale),
           !chosen ? fmt::format("--method auto: the mode keeps the steps of \"{}\" short", plan.method)
           : stiffness.mode.forces.empty()
               ? "nothing is wrong; a rigid body in place of what vibrates allows longer steps"
               : fmt::format("nothing is wrong; a softer or less damped \"{}\" allows longer steps",
                             stiffness.mode.forces.front().first));
  return true;
}

// Singular configurations that the method stepped over: no step needs to end near one.
bool explain_singularities(Explanation& found) {
  constexpr std::size_t most_times = 6;
  const auto& singularities = found.result.singularities;
  if (singularities.empty()) return false;
  std::vector<std::string> times;
  for (std::size_t i = 0; i < std::min(singularities.size(), most_times); ++i)
    times.push_back(fmt::format("{:.6g}", singularities[i].t));
  const std::string more =
      singularities.size() > most_times ? fmt::format(" and {} more", singularities.size() - most_times) : "";
  conclude(found, Explanation::Cause::singular_configuration,
           fmt::format(
               "it runs, through singular configurations at t = {}{} s, where the constraint rows of {} are dependent",
               join(times), more, some_of(singularities.front().joints)),
           "nothing for the motion; reactions have no value in these configurations and are large beside them");
  found.worst = {singularities.front().t, 0.0, {}};
  for (const std::string& joint : singularities.front().joints) found.worst.rows.emplace_back(joint, std::nan(""));
  return true;
}

// A motion that arrives may still run away. Velocities decide: a wheel that turns for long has a large angle and is
// well.
bool explain_growth(Explanation& found, const ConstrainedSystem& system) {
  const State &start = found.result.start, &end = found.result.end;
  if (!(growth_of_velocities(system, start, end) >= runs_away)) return false;
  const Diagnosis seen = look_around(system, start, end, found.shortest_step);
  if (const std::string resistance = end.t < start.t ? feeding_resistance(system, start, end) : "";
      !resistance.empty()) {
    conclude(
        found, Explanation::Cause::ill_posed,
        fmt::format("it runs, but backwards in time \"{}\" feeds the motion instead of damping it: {} has grown to "
                    "{:.3g}, and errors of the start grow as it does",
                    resistance, seen.growing, seen.grown_to),
        "nothing for the motion; what it was can be found no better than its start is known");
    return true;
  }
  conclude(found, Explanation::Cause::blow_up,
           fmt::format("it runs, but {} has grown to {:.3g} at the end, {:.1g} times what there was at the start",
                       seen.growing, seen.grown_to, seen.growth),
           "check the signs and sizes of the forces that act on it");
  return true;
}

bool explain_tolerance(Explanation& found, const Plan& plan) {
  for (const Note& note : found.result.notes) {
    if (note.cause != Diagnosis::Cause::tolerance_below_precision) continue;
    const Tolerances &asked = plan.tolerances, &used = found.result.tolerances;
    const bool lifted = asked.q.rtol < used.q.rtol || asked.v.rtol < used.v.rtol;
    conclude(found, Explanation::Cause::tolerance_below_precision, note.text,
             lifted ? "--rtol 1e-13 asks for what double can give"
                    : fmt::format("--method auto, or --rtol {:.0e}", find_method(plan.method).tightest_rtol));
    return true;
  }
  return false;
}

bool explain_sensitivity(Explanation& found) {
  for (const Note& note : found.result.notes) {
    if (note.cause != Diagnosis::Cause::sensitive) continue;
    const std::size_t end = note.text.rfind(". A ");  // what to try
    conclude(found, Explanation::Cause::sensitive, note.text.substr(0, end), "a " + note.text.substr(end + 4));
    return true;
  }
  return false;
}

bool explain_success(Explanation& found, const Model& model, const Plan& plan) {
  using Cause = Explanation::Cause;
  if (explain_tolerance(found, plan) || explain_growth(found, *model.system) || explain_singularities(found))
    return true;
  if (found.worst.ratio < RankPolicy::regular) {
    conclude(found, Cause::singular_configuration,
             fmt::format(
                 "it passes a configuration {:.1e} from a singular one at t = {:.6g} s, which the constraints {} share",
                 found.worst.ratio, found.worst.t, names_of(found.worst)),
             "trust the multipliers near that time less than the motion; a tighter --rtol helps");
    return true;
  }
  if (explain_sensitivity(found) || explain_stiffness(found, plan) || explain_redundancy(found, model) ||
      explain_structure(found))
    return true;
  found.finding = "nothing is wrong with it";
  if (find_method(plan.method).is_choice && includes_stiff_method(found.result.method))
    found.finding += fmt::format("; \"auto\" found {} cheaper", found.result.method);
  return false;
}

// An explicit method whose steps a fast mode limits leaves noise of the size of its tolerance in it, and the noise has
// accelerations that hide how slow the motion is.
bool may_hide_stiffness(const Stiffness& found, const Plan& plan, double t_start) {
  const double most = found.mode.speed() * std::abs(plan.until - t_start);
  return !found.is_stiff() && most > Stiffness::stiff && !found.mode.grows() &&
         !find_method(plan.method).is_for_stiffness;
}

// The same run by the method that damps what nobody sees.
Stiffness stiffness_of_quiet_motion(const ConstrainedSystem& system, const State& start, Plan plan) {
  StiffnessWatch watch(system);
  plan.method = default_method;
  plan.form.reset();
  plan.fixed_step = 0.0;
  plan.step_taken = {};
  plan.frame = [&](const Sample& sample) { watch.look(sample.state); };
  const Result result = integrate(system, start, plan);
  return watch.conclude(result.end.t - start.t);
}

}  // namespace

Explanation explain_model(const Model& model, const Plan& plan) {
  using Cause = Explanation::Cause;
  const ConstrainedSystem& system = *model.system;
  Explanation found;
  found.coordinates = coordinates_without_centres(system);
  found.rows = system.rows();
  State start;
  try {
    start = consistent_start(model);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::computation) throw;
    explain_failed_start(found, model, error);
    return found;
  }
  found.assembled = true;
  const RankReport rank = constraint_rank(system, start.t, start.q);
  found.rank = rank.rank;
  found.mobility = rank.mobility;
  found.start = found.worst = conditioning_at(system, start.t, start.q, row_lengths(system, start.t, start.q));
  RunWatch watch(system, plan.until - start.t, found);
  StiffnessWatch stiffness(system);
  Plan watched = plan;
  watched.dropped_rows = model.dropped_rows;
  watched.step_taken = [&](const StepReport& step) { watch.step(step); };
  watched.frame_times = StiffnessWatch::times(start.t, plan.until);
  watched.frame = [&](const Sample& sample) { stiffness.look(sample.state); };
  try {
    found.result = integrate(system, start, watched, [&](const Sample& sample) { watch.sample(sample); });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::computation) throw;
    found.result.termination = Termination::failed;
    found.result.start = found.result.end = start;
    found.result.outputs = Vector::Constant(static_cast<Eigen::Index>(output_names(system).size()), std::nan(""));
    const bool singular = dynamic_cast<const StartFailure*>(&error) != nullptr;
    conclude(found, singular ? Cause::singular_configuration : Cause::tolerance_below_precision, error.what(),
             singular ? "start on another branch" : "--method auto, or a larger --rtol");
    found.diagnosis = seen_of_run(system, found, start.t);
    return found;
  }
  found.stiffness = stiffness.conclude(found.result.end.t - start.t);
  if (found.result.termination == Termination::ok && may_hide_stiffness(found.stiffness, plan, start.t))
    found.stiffness = stiffness_of_quiet_motion(system, start, watched);
  if (found.result.termination == Termination::failed) {
    explain_failure(found, model);
    found.diagnosis = found.result.diagnosis;
  } else if (explain_success(found, model, plan)) {
    if (found.cause != Cause::redundant_constraints && is_redundant(model))
      found.finding += fmt::format("; besides, {} at any time", redundancy_words(model));
    const double t = found.cause == Cause::singular_configuration ? found.worst.t
                     : found.cause == Cause::stiffness            ? found.stiffness.mode.t
                                                                  : start.t;
    found.diagnosis = seen_of_run(system, found, t);
    if (found.cause == Cause::stiffness) found.diagnosis->fastest = found.stiffness.mode;
  }
  if (found.result.termination == Termination::ok && !found.result.message.empty())
    found.finding += "; " + found.result.message;  // the event that ended it
  return found;
}

}  // namespace raak

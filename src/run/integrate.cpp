#include "run/integrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/kernel.h"
#include "base/text.h"
#include "run/diagnosis.h"
#include "run/jumps.h"
#include "run/recorder.h"

namespace raak {
namespace {

constexpr double smallest_time = 1e-6;      // of the span: what the shortest step is compared with at t = 0
constexpr double smallest_rtol = 1e-15;     // refused below
constexpr double double_precision = 1e-14;  // what double can hold
constexpr long default_budget = 1'000'000'000;
constexpr long budget_beyond_its_tolerance = 2'000'000;  // of a method that is not made for the tolerance
constexpr long many_steps = 1'000'000;                   // few motions need so many for their accuracy
constexpr long steps_of_a_look = 10'000;           // after so many steps the pace tells whether the budget will do
constexpr long most_steps_when_stuck = 1'000'000;  // in a switch that is crossed to and fro
constexpr double largest_gap = 1e-6;               // SI, of a row that was left out as redundant
constexpr std::size_t most_named_poses = 8;        // the joints of later ones are those of the last one named

// Refuses what cannot be integrated and lifts what double cannot hold.
Tolerances usable(const MethodInfo& method, Tolerances tolerances, std::vector<std::string>& warnings) {
  for (Tolerance* t : {&tolerances.q, &tolerances.v}) {
    if (!(t->rtol >= smallest_rtol) || !std::isfinite(t->rtol)) {
      throw Error(ErrorKind::request, fmt::format("rtol must be a number from 1e-15 up, found {}", t->rtol));
    }
    if (!(t->atol > 0.0) || !std::isfinite(t->atol))
      throw Error(ErrorKind::request, fmt::format("atol must be a positive number, found {}", t->atol));
    if (t->rtol < double_precision && !method.refuses_tiny_tolerance) {
      if (warnings.empty())
        warnings.push_back(fmt::format("rtol {:.1e} is below what double precision can hold; integrated at {:.0e}",
                                       t->rtol, double_precision));
      t->atol = std::max(t->atol, t->atol / t->rtol * double_precision);
      t->rtol = double_precision;
    }
  }
  if (Tolerance& t = tolerances.lambda; t.rtol > 0.0 && t.rtol < double_precision && !method.refuses_tiny_tolerance) {
    t.atol = t.atol / t.rtol * double_precision;
    t.rtol = double_precision;
  }
  if (tolerances.q.rtol < method.tightest_rtol)
    warnings.push_back(
        fmt::format("rtol {:.1e} is tighter than \"{}\" is made for (down to {:.0e}): it will need very many steps",
                    tolerances.q.rtol, method.name, method.tightest_rtol));
  return tolerances;
}

// What can be known to be wrong before the first step.
void require_plan(const State& start, const Plan& plan) {
  const auto refuse = [](const std::string& text) { throw Error(ErrorKind::request, text); };
  if (!std::isfinite(plan.until)) refuse(fmt::format("the end time must be a finite number, found {}", plan.until));
  if (!(plan.first_step >= 0.0) || !std::isfinite(plan.first_step))
    refuse(fmt::format("the first step must be a positive number, found {}", plan.first_step));
  if (!(plan.fixed_step >= 0.0) || !std::isfinite(plan.fixed_step))
    refuse(fmt::format("a fixed step must be a positive number, found {}", plan.fixed_step));
  if (!start.q.allFinite() || !start.v.allFinite() || !start.a.allFinite())
    refuse("the start is not finite: make it consistent first");
  const double direction = plan.until >= start.t ? 1.0 : -1.0;
  for (const std::vector<double>* times : {&plan.sample_times, &plan.frame_times}) {
    double before = start.t;
    for (const double t : *times) {
      if (!((t - before) * direction >= 0.0) || !((plan.until - t) * direction >= 0.0))
        refuse(fmt::format("sample times must go from the start to the end of the run, found {} after {}", t, before));
      before = t;
    }
  }
}

// Methods that make no matrix over all coordinates.
void require_method_for_size(const ConstrainedSystem& system, const MethodInfo& method) {
  static const std::vector<std::string> able{"auto", "gauss", "dop853", "dopri5", "adams"};
  if (!system.is_large() || std::find(able.begin(), able.end(), method.name) != able.end()) return;
  throw Error(
      ErrorKind::request,
      fmt::format("method \"{}\" makes matrices of all coordinates, and {} are too many for that. Try one of: {}",
                  method.name, system.coordinates(), join(able)));
}

std::string usable_form(const MethodInfo& method, const std::string& form) {
  if (form.empty()) return method.forms.front();
  if (std::find(method.forms.begin(), method.forms.end(), form) != method.forms.end()) return form;
  throw Error(ErrorKind::request,
              fmt::format("method \"{}\" has no form \"{}\"; it has: {}", method.name, form, join(method.forms)));
}

void require_usable_step(double fixed_step, double span, long budget) {
  if (!(fixed_step >= 0.0) || !std::isfinite(fixed_step))
    throw Error(ErrorKind::request,
                fmt::format("a fixed step must be a positive number of seconds, found {}", fixed_step));
  if (fixed_step > 0.0 && span / fixed_step > static_cast<double>(budget))
    throw Error(ErrorKind::request,
                fmt::format("steps of {} s over {} s are more than the budget of {} steps", fixed_step, span, budget));
}

long budget_of(const MethodInfo& method, const Plan& plan) {
  if (plan.max_steps > 0) return plan.max_steps;
  if (method.step_budget > 0) return method.step_budget;
  return plan.tolerances.q.rtol < method.tightest_rtol ? budget_beyond_its_tolerance : default_budget;
}

// A method that builds up its order comes to the end of the first step by much shorter ones that grow: else the error
// of its first step, which is of order 1, would be that of the whole run.
double next_fixed_step(double step, double elapsed, bool starts_at_order_one) {
  constexpr double shortest = 1e-5;
  constexpr double growth = 0.2;  // of a step over the one before: formulas of high order bear no more
  constexpr double almost = 1.0 - 1e-9;
  if (!starts_at_order_one || elapsed >= almost * step) return step;
  return std::min(std::max(growth * elapsed, shortest * step), step - elapsed);
}

// Whether the steps are so short that the end is out of reach.
struct Pace {
  double looked_at;
  long next_look = steps_of_a_look;
  double mean_step = 0.0;

  bool is_hopeless(double t, double until, long steps_left) {
    mean_step = std::abs(t - looked_at) / static_cast<double>(steps_of_a_look);
    looked_at = t;
    next_look += steps_of_a_look;
    return std::abs(until - t) > mean_step * static_cast<double>(steps_left);
  }
};

// A balance that is off by a share of all the energy that moves tells of a wrong motion, whatever the steps' errors
// say.
void warn_of_energy(const ConstrainedSystem& system, Result& result) {
  constexpr double share = 0.02;
  const Energy before = system.energy(result.start.t, result.start.q, result.start.v);
  const Energy after = system.energy(result.end.t, result.end.q, result.end.v);
  const double moved = std::max({before.kinetic, after.kinetic, std::abs(after.potential - before.potential)});
  if (!(result.quality.energy_drift > share * moved) || !(moved > 0.0)) return;
  result.warnings.push_back(
      fmt::format("the energy balance is off by {:.2g} J where {:.2g} J move: the motion may be wrong. Compare with a "
                  "tighter --rtol and another --method",
                  result.quality.energy_drift, moved));
}

// Events whose functions have no value somewhere on the way are told once: they may be missed there.
class UndefinedEvents {
 public:
  std::vector<Event> watched(const std::vector<Event>& events) {
    first_.assign(events.size(), std::nullopt);
    std::vector<Event> result = events;
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i].value = [this, i, value = events[i].value](const State& state) {
        const double found = value(state);
        if (!std::isfinite(found) && !first_[i]) first_[i] = state.t;
        return found;
      };
    return result;
  }
  void tell(const std::vector<Event>& events, std::vector<std::string>& warnings) const {
    for (std::size_t i = 0; i < first_.size(); ++i)
      if (first_[i])
        warnings.push_back(fmt::format(
            "event \"{}\" has no value at t = {:.6g} s and may be missed where it has none: its formula divides by "
            "zero "
            "there, takes the root or logarithm of a negative number, or holds a reaction that is not unique",
            events[i].name, *first_[i]));
  }

 private:
  std::vector<std::optional<double>> first_;  // s
};

}  // namespace

Result integrate(const ConstrainedSystem& system, const State& start, const Plan& plan, const Observer& observer) {
  const MethodInfo& method = find_method(plan.method);
  require_plan(start, plan);
  require_method_for_size(system, method);
  Result result;
  result.method = method.name;
  result.form = usable_form(method, plan.form);
  result.tolerances = usable(method, plan.tolerances, result.warnings);
  const auto integrator = method.make(system, result.form, result.tolerances);
  Statistics& statistics = integrator->statistics();
  const long budget = budget_of(method, plan);
  require_usable_step(plan.fixed_step, std::abs(plan.until - start.t), budget);
  const double direction = plan.until >= start.t ? 1.0 : -1.0;
  Recorder recorder(system, start, plan, observer);
  std::optional<EventWatch> watch;
  UndefinedEvents undefined;
  const std::vector<Event> events = undefined.watched(plan.events);
  if (!events.empty()) watch.emplace(system, events, start);
  result.start = start;

  const double prepared = Kernel::preparation_seconds();
  const double began = thread_cpu_seconds();
  double h = integrator->begin(start, plan.until);
  if (plan.first_step > 0.0) h = direction * plan.first_step;
  if (plan.fixed_step > 0.0) integrator->use_fixed_steps();
  double recording = 0.0;
  if (!recorder.idle()) {
    const double before_recording = thread_cpu_seconds();
    recorder.start(start, *integrator, direction);
    recording = thread_cpu_seconds() - before_recording;
  }
  const char* trouble = nullptr;
  bool by_event = false;
  Pace pace{start.t};
  std::optional<JumpWatch> jumps;
  if (plan.fixed_step == 0.0 && system.switches() > 0) jumps.emplace(system, start, h);
  // What is done after each step, the short ones across jumps included; true: the run ends.
  const auto ends_run_after = [&](Integrator& step) {
    if (watch) {
      const double before_watching = thread_cpu_seconds();
      by_event = watch->after_step(step, result.events);
      recording += thread_cpu_seconds() - before_watching;
    }
    if (!recorder.idle()) {  // asking for the state may cost an evaluation of a and lambda
      const State& reached = by_event ? result.events.back().state : step.current();
      recorder.after_step(reached, step);
    }
    if (plan.left_out_gap) {
      const RowGap gap = plan.left_out_gap(step.current());
      result.left_out_gap = std::max(result.left_out_gap, gap.size);
      if (!(gap.size <= largest_gap)) {
        result.termination = Termination::failed;
        result.message = explain_open_row(gap, step.current().t);
        return true;
      }
    }
    if (by_event) {
      const EventRecord& event = result.events.back();
      result.message = fmt::format("event \"{}\" ended the run at t = {} s", event.name, exact_text(event.state.t));
      return true;
    }
    return false;
  };
  while (integrator->time() != plan.until) {
    if (jumps) {
      const State before = integrator->current();
      State beyond = before;
      if (jumps->cross(beyond, plan.until)) {
        h = go_on_from(*integrator, beyond, plan.until, jumps->step());
        ++statistics.steps;
        ++statistics.accepted;
        Crossing crossing(before, beyond, *integrator);
        if (ends_run_after(crossing)) break;
      }
    }
    const double t = integrator->time();
    if (plan.stop != nullptr && plan.stop->load(std::memory_order_relaxed)) {
      result.termination = Termination::interrupted;
      result.message = fmt::format("stopped at t = {:.6g} s of {:.6g} s", t, plan.until);
      break;
    }
    const double shortest = 16.0 * std::numeric_limits<double>::epsilon() *
                            std::max(std::abs(t), smallest_time * std::abs(plan.until - start.t));
    const long left = jumps && jumps->is_stuck() ? std::min(budget, most_steps_when_stuck) : budget - statistics.steps;
    if (statistics.steps >= pace.next_look && pace.is_hopeless(t, plan.until, left)) {
      result.termination = Termination::failed;
      result.diagnosis = diagnose_pace(system, method, result.start, integrator->current(), plan, pace.mean_step);
      if (jumps && jumps->is_stuck()) blame_switch(*result.diagnosis);
      result.message = text_of(*result.diagnosis);
      break;
    }
    if (!(std::abs(h) > shortest) || statistics.steps >= budget) {
      result.termination = Termination::failed;
      const State& last = integrator->current();
      result.diagnosis = statistics.steps >= budget
                             ? diagnose_budget(system, method, result.start, last, plan, h, budget)
                             : diagnose_small_step(system, result.start, last, plan, h, trouble);
      if (jumps && jumps->is_stuck()) blame_switch(*result.diagnosis);
      result.message = text_of(*result.diagnosis);
      break;
    }
    if (plan.fixed_step > 0.0 && trouble == nullptr)
      h = direction * next_fixed_step(plan.fixed_step, std::abs(t - start.t), integrator->starts_at_order_one());
    if (jumps) h = jumps->before_jump(integrator->current(), h);
    const bool last = std::abs(h) * 1.01 >= std::abs(plan.until - t);
    Attempt attempt = integrator->attempt(last ? plan.until : t + h);
    ++statistics.steps;
    if (jumps && attempt.acceptable && jumps->is_passed_by(integrator->attempted(), h)) attempt = {false, 0.5 * h};
    if (attempt.acceptable) {
      h = integrator->accept();
      ++statistics.accepted;
      trouble = nullptr;
      if (ends_run_after(*integrator)) break;
    } else {
      h = attempt.retry_step;
      ++statistics.rejected;
      trouble = attempt.trouble;
    }
  }
  if (plan.fixed_step > 0.0 && statistics.rejected > 0)
    result.warnings.push_back(
        fmt::format("steps of {} s were refused {} times and taken in parts: \"{}\" could not solve for them",
                    plan.fixed_step, statistics.rejected, method.name));
  if (statistics.steps > many_steps && plan.method != "auto")
    result.warnings.push_back(fmt::format(
        "{} steps were taken: stiffness may limit them. --method auto may need far fewer", statistics.steps));
  statistics.preparation_seconds = Kernel::preparation_seconds() - prepared;
  statistics.cpu_seconds = std::max(0.0, thread_cpu_seconds() - began - recording - recorder.seconds());
  result.end = by_event ? result.events.back().state : integrator->current();
  recorder.finish(result.end);
  for (const PoseRecord& pose : integrator->poses())
    result.poses.push_back({pose.t, result.poses.size() < most_named_poses ? dependent_joints(system, pose.t, pose.q)
                                                                           : result.poses.back().joints});
  if (const std::string used = integrator->methods_used(); !used.empty()) result.method = used;
  result.outputs = recorder.outputs();
  undefined.tell(events, result.warnings);
  if (std::string missing = recorder.missing_outputs(); !missing.empty()) result.warnings.push_back(std::move(missing));
  result.quality = recorder.quality();
  result.ledger = recorder.ledger(result.end);
  if (!system.accounts_for_energy()) result.quality.energy_drift = std::numeric_limits<double>::quiet_NaN();
  else warn_of_energy(system, result);
  result.statistics = statistics;
  return result;
}

}  // namespace raak

#include "run/run_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <new>
#include <utility>

#include "base/tape/kernel.h"
#include "run/diagnosis/backward_damping.h"
#include "run/diagnosis/broken_motion.h"
#include "run/diagnosis/diagnosis.h"
#include "run/diagnosis/feedback.h"
#include "run/diagnosis/locked.h"
#include "run/plan_checks.h"
#include "run/warnings/run_warnings.h"
#include "run/warnings/size_warning.h"
#include "run/watches/growth.h"
#include "run/watches/no_room.h"
#include "system/time/time_formulas.h"

namespace raak {
namespace {

constexpr long most_steps_when_stuck = 1'000'000;               // in a switch that is crossed to and fro
constexpr std::size_t reserved_memory = std::size_t{64} << 20;  // to write results with when there is no more

}  // namespace

RunLoop::RunLoop(const ConstrainedSystem& system, const State& start, const Plan& plan, const Observer& observer)
    : system_(system),
      plan_(plan),
      method_(serving_method(system, find_method(plan.method))),
      direction_(plan.until >= start.t ? 1.0 : -1.0),
      budget_(budget_of(method_, plan)),
      recorder_(system, start, plan, observer),
      breaches_(system, result_.start, plan, plan.measure_quality && holds_positions(usable_form(method_, plan.form))),
      pace_{start.t} {
  require_usable_step(plan.fixed_step, std::abs(plan.until - start.t), budget_);
  result_.method = method_.name;
  if (method_.name != plan.method) result_.warnings.push_back(stand_in_warning(system, plan.method, method_.name));
  result_.form = usable_form(method_, plan.form);
  result_.tolerances = usable(method_, plan.tolerances, result_.warnings);
  give_lengths_their_own(system, result_.tolerances);
  result_.start = start;
  seen_at_ = start.t;
  integrator_ = method_.make(system, result_.form, result_.tolerances);
  events_ = undefined_.watched(plan.events);
  if (!events_.empty()) watch_.emplace(system, events_, start);
  if (observer) reserve_.reset(new (std::nothrow) std::byte[reserved_memory]);
}

Result RunLoop::run() {
  const double prepared = Kernel::preparation_seconds();
  const double began = began_ = unprepared_cpu_seconds();
  try {
    begin();
    while (result_.termination == Termination::ok && integrator_->time() != plan_.until) {
      look_at_clock();
      if (crosses_jump_and_ends() || is_to_stop() || takes_step_and_ends()) break;
    }
  } catch (const CannotRecord& error) {
    fails_for_want_of_room(error.what(), "a disk with more room (--out), fewer samples (--every)");
  } catch (const std::bad_alloc&) {
    reserve_.reset();
    forget_late_events(result_.events, result_.warnings);
    fails_for_want_of_room("there is not enough memory (a limit may be set: ulimit -v)",
                           "a higher limit, a machine with more memory, or fewer samples and events");
  }
  statistics().preparation_seconds = Kernel::preparation_seconds() - prepared;
  const double all = unprepared_cpu_seconds() - began;
  result_.recording_seconds = recording_before_ + std::min(recording_.seconds(), all);
  statistics().cpu_seconds = cpu_before_ + all - std::min(recording_.seconds(), all);
  conclude();
  return std::move(result_);
}

void RunLoop::begin() {
  const State& start = result_.start;
  const bool resumes = !plan_.checkpoints.state.empty();
  // A run that is resumed begins only in order to take over its state: that basis has been reported before.
  integrator_->use_partitions(resumes ? PartitionRequest{plan_.partitions.threshold} : plan_.partitions);
  h_ = integrator_->begin(start, plan_.until);
  if (plan_.first_step > 0.0) h_ = direction_ * plan_.first_step;
  if (plan_.fixed_step > 0.0) integrator_->use_fixed_steps();
  if (!recorder_.idle() && !resumes) {
    recording_.begin();
    recorder_.start(start, *integrator_, direction_);
    recording_.end();
  }
  if (const TurnGauge* const gauge = turn_gauge_of(system_)) turns_.emplace(*gauge, start);
  if (plan_.estimate_sensitivity) error_growth_.emplace(system_, start);
  if (auto ill_posed = ill_posed_from(system_, start, plan_)) fails(std::move(*ill_posed));
  if (plan_.fixed_step == 0.0) {
    if (system_.switches() > 0) discontinuities_.emplace(system_, start, h_, std::abs(plan_.until - start.t));
    brief_ = brief_moments_of(system_, start.t, plan_.until);
  }
  if (resumes) {
    resume();
    integrator_->use_partitions(plan_.partitions);
  }
}

bool RunLoop::crosses_jump_and_ends() {
  if (!discontinuities_) return false;
  const State before = integrator_->current();
  State beyond = before;
  if (!discontinuities_->cross(beyond, plan_.until)) return false;
  if (auto broken = motion_broken_between(system_, result_.start, before, beyond, h_))
    // A motion that runs away leaves residuals of its own size.
    return fails(growth_of_velocities(system_, result_.start, before) > runs_away
                     ? diagnose_growth(system_, result_.start, before, plan_, h_)
                     : std::move(*broken));
  h_ = go_on_from(*integrator_, beyond, plan_.until, discontinuities_->step());
  ++statistics().steps;
  ++statistics().accepted;
  Crossing crossing(before, beyond, *integrator_);
  return ends_after(crossing) || beyond.t == plan_.until;
}

bool RunLoop::is_to_stop() {
  const double t = integrator_->time();
  if (stops_) {
    result_.termination = Termination::interrupted;
    result_.message = fmt::format("stopped at t = {:.6g} s of {:.6g} s", t, plan_.until);
    return true;
  }
  const long steps = statistics().steps;
  const long left = is_stuck() ? std::min(budget_, most_steps_when_stuck) : budget_ - steps;
  // Near axes that are opposite, where an angle has no slope, steps are short whatever else there is.
  const auto fails_of_steps = [&](const auto& diagnose) {
    const State& last = integrator_->current();
    if (const auto angle = turns_ ? turns_->nearly_opposite(last.q) : std::nullopt)
      return fails(diagnose_opposite_axes(system_, result_.start, last, h_, turns_->name(*angle)));
    return fails(diagnose(last));
  };
  if (steps >= pace_.next_look && pace_.is_hopeless(t, plan_.until, left))
    return fails_of_steps([&](const State& last) {
      return diagnose_pace(system_, method_, result_.start, last, plan_, pace_.mean_step);
    });
  if (steps >= budget_)
    return fails_of_steps(
        [&](const State& last) { return diagnose_budget(system_, method_, result_.start, last, plan_, h_, budget_); });
  if (grown_) return fails(diagnose_growth(system_, result_.start, integrator_->current(), plan_, h_));
  if (std::exchange(seems_locked_, false) && find_lock(system_, result_.start, integrator_->current()))
    return fails(diagnose_small_step(system_, result_.start, integrator_->current(), plan_, h_, nullptr));
  if (!(std::abs(h_) > shortest_step(t, std::abs(plan_.until - result_.start.t))))
    return fails_of_steps(
        [&](const State& last) { return diagnose_small_step(system_, result_.start, last, plan_, h_, trouble_); });
  return false;
}

bool RunLoop::fails(Diagnosis diagnosis) {
  if (is_stuck()) blame_switch(diagnosis);
  result_.termination = Termination::failed;
  result_.message = text_of(diagnosis);
  result_.diagnosis = std::move(diagnosis);
  return true;
}

void RunLoop::fails_for_want_of_room(const std::string& because, const std::string& advice) {
  ended_at_.reset();
  fails(diagnose_no_room(integrator_->time(), plan_.until, h_, because, advice));
}

void RunLoop::look_for_growth() {
  constexpr long steps_between = 16;
  next_growth_look_ = statistics().steps + steps_between;
  const State& end = integrator_->attempted();
  grown_ = has_run_away(system_, result_.start, end);
  // Before a dead position steps shrink for ever. Whether it is one takes long to find out: less and less often.
  constexpr double far_too_short = 1e-10;  // of the run
  constexpr double fast = 50.0;            // less says little of what goes into the dead position
  if (statistics().steps >= next_lock_look_ && plan_.fixed_step == 0.0 &&
      std::abs(h_) < far_too_short * std::abs(plan_.until - result_.start.t) &&
      growth_of_velocities(system_, result_.start, end) > fast) {
    next_lock_look_ = 2 * statistics().steps;
    seems_locked_ = true;
  }
  if (direction_ > 0.0 || grown_ || !has_lost_digits(system_, result_.start, end, plan_)) return;
  const auto feedback = find_feedback(system_, end, direction_);
  grown_ = feedback && feedback->kind == EnergyAccount::Kind::dissipation;
}

bool RunLoop::takes_step_and_ends() {
  const double t = integrator_->time();
  if (plan_.fixed_step > 0.0 && trouble_ == nullptr) {
    const double elapsed = std::abs(t - result_.start.t);
    h_ = direction_ * next_fixed_step(plan_.fixed_step, elapsed, integrator_->starts_at_order_one());
  }
  if (turns_) count_turns();
  if (brief_) h_ = brief_->limited(t, h_);
  if (discontinuities_) h_ = discontinuities_->before_discontinuity(integrator_->current(), h_, plan_.until);
  const double stretched = discontinuities_ && discontinuities_->is_approaching() ? 1.0 : 1.01;
  const bool last = std::abs(h_) * stretched >= std::abs(plan_.until - t);
  Attempt attempt = integrator_->attempt(last ? plan_.until : t + h_);
  ++statistics().steps;
  if (discontinuities_ && attempt.acceptable &&
      discontinuities_->is_passed_by(integrator_->current(), integrator_->attempted(), plan_.until))
    attempt = {false, 0.5 * (integrator_->attempted().t - t)};
  if (turns_ && attempt.acceptable && plan_.fixed_step == 0.0 &&
      turns_->is_too_long(integrator_->current(), integrator_->attempted()))
    attempt = {false, 0.5 * (integrator_->attempted().t - t)};
  trouble_ = attempt.trouble;
  if (!attempt.acceptable) {
    h_ = attempt.retry_step;
    ++statistics().rejected;
    return false;
  }
  if (statistics().steps >= next_growth_look_) look_for_growth();
  h_ = integrator_->accept();
  ++statistics().accepted;
  trouble_ = nullptr;
  return ends_after(*integrator_);
}

void RunLoop::count_turns() {
  State now = integrator_->current();
  if (turns_->move_centres(now, h_)) {
    const double wanted = h_;
    const double first = go_on_from(*integrator_, now, plan_.until, h_);
    if (error_growth_) error_growth_->go_on_from(now);
    h_ = plan_.fixed_step > 0.0 ? wanted : first;
  }
  if (plan_.fixed_step == 0.0) h_ = turns_->limited(now, h_);
}

bool RunLoop::ends_after(Integrator& step) {
  if (!watch_ && breaches_.is_idle(turn_watch()) && !error_growth_ && recorder_.idle()) return false;
  recording_.begin();
  const bool ends = ends_in_sight_of(step);
  recording_.end();
  return ends;
}

bool RunLoop::ends_in_sight_of(Integrator& step) {
  const bool by_event = watch_ && watch_->after_step(step, result_.events);
  if (by_event) ended_at_ = result_.events.back().state;
  std::optional<Breach> breach;
  if (!breaches_.is_idle(turn_watch())) {
    breach = breaches_.after_step(step, seen_at_, by_event ? *ended_at_ : step.current(), h_, turn_watch());
    if (breach) ended_at_ = std::move(breach->there);
  }
  if (error_growth_) error_growth_->after_step(step.current());
  seen_at_ = step.time();
  if (!recorder_.idle()) {  // asking for the state may cost an evaluation of a and lambda
    const State& reached = ended_at_ ? *ended_at_ : step.current();
    recorder_.after_step(reached, step);
    if (ended_at_) recorder_.add_last_sample(reached, step);
  }
  if (breach) return fails(std::move(breach->diagnosis));
  if (!by_event) return false;
  const EventRecord& event = result_.events.back();
  result_.message = fmt::format("event \"{}\" ended the run at t = {:.9g} s", event.name, event.state.t);
  return true;
}

void RunLoop::conclude() {
  result_.end = ended_at_ ? *ended_at_ : integrator_->current();
  result_.left_out_gap = breaches_.largest_gap();
  if (result_.termination == Termination::ok && holds_positions(result_.form)) {
    if (auto open = open_at_end(system_, result_.start, result_.end, h_)) fails(std::move(*open));
  }
  recorder_.finish(result_.end);
  result_.poses = passed_poses(system_, integrator_->poses());
  if (const std::string used = integrator_->methods_used(); !used.empty()) result_.method = used;
  result_.outputs = recorder_.outputs();
  result_.quality = recorder_.quality();
  if (plan_.measure_quality && result_.left_out_gap > result_.quality.position_residual)
    result_.quality.position_residual = result_.left_out_gap;
  result_.ledger = recorder_.ledger(result_.end);
  result_.statistics = statistics();
  if (!system_.accounts_for_energy()) result_.quality.energy_drift = std::numeric_limits<double>::quiet_NaN();
  if (const IndependentCoordinates* const used = integrator_->independent_coordinates(); used != nullptr)
    result_.partitions = Partitions{plan_.partitions.threshold, used->partitions, used->by_reason};
  if (error_growth_) result_.sensitivity = error_growth_->conclude(result_.tolerances.q.rtol);
  undefined_.tell(events_, result_.warnings);
  if (watch_) tell_of_fast_events(*watch_, events_, result_.warnings);
  if (std::string missing = recorder_.missing_outputs(); !missing.empty())
    result_.warnings.push_back(std::move(missing));
  warn_of_run(system_, method_, plan_, result_);
}

}  // namespace raak

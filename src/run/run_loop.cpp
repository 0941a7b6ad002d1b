#include "run/run_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "base/reversed.h"
#include "base/tape/kernel.h"
#include "run/diagnosis/backward_damping.h"
#include "run/diagnosis/broken_motion.h"
#include "run/diagnosis/diagnosis.h"
#include "run/plan_checks.h"
#include "run/warnings/error_growth.h"
#include "run/warnings/run_warnings.h"
#include "run/warnings/size_warning.h"
#include "run/watches/breach.h"
#include "run/watches/growth.h"
#include "run/watches/no_room.h"
#include "run/watches/progress.h"
#include "run/watches/step_limits.h"
#include "system/time/time_formulas.h"

namespace raak {
namespace {

constexpr std::size_t reserved_memory = std::size_t{64} << 20;  // to write results with when there is no more

RunState begin_run(const ConstrainedSystem& system, const State& start, const Plan& plan,
                   std::unique_ptr<Integrator> again) {
  const MethodInfo& method = serving_method(system, find_method(plan.method));
  RunState run{system, plan, method, plan.until >= start.t ? 1.0 : -1.0, budget_of(method, plan), {}, {}};
  require_usable_step(plan.fixed_step, std::abs(plan.until - start.t), run.budget);
  Result& result = run.result;
  result.method = method.name;
  if (method.name != plan.method) result.warn(stand_in_warning(system, plan.method, method.name));
  result.form = usable_form(method, plan.form);
  result.tolerances = usable(method, plan.tolerances, result.notes);
  give_lengths_their_own(system, result.tolerances);
  result.start = start;
  run.seen_at = start.t;
  run.integrator = again ? std::move(again) : method.make(system, result.form, result.tolerances);
  run.statistics() = {};
  return run;
}

}  // namespace

void RunState::fail(Diagnosis diagnosis) {
  if (is_stuck) blame_switch(diagnosis);
  is_over = true;
  result.termination = Termination::failed;
  result.message = text_of(diagnosis);
  result.diagnosis = std::move(diagnosis);
}

RunLoop::RunLoop(const ConstrainedSystem& system, const State& start, const Plan& plan, const Observer& observer,
                 std::unique_ptr<Integrator> again)
    : run_(begin_run(system, start, plan, std::move(again))), recorder_(system, start, plan, observer) {
  if (observer) reserve_.reset(new (std::nothrow) std::byte[reserved_memory]);
}

Result RunLoop::run() {
  const double prepared = Kernel::preparation_seconds();
  try {
    begin();
    while (advance()) {
    }
  } catch (const CannotRecord& error) {
    fail_for_want_of_room(error.what(), error.advice());
  } catch (const std::bad_alloc&) {
    reserve_.reset();
    forget_late_events(run_.result);
    fail_for_want_of_room("there is not enough memory (a limit may be set: ulimit -v)",
                          "a higher limit, a machine with more memory, or fewer samples and events");
  }
  run_.statistics().preparation_seconds = Kernel::preparation_seconds() - prepared;
  if (run_.plan.sums_up) {
    const RecordingClock::Times& times = clock_.read();
    run_.statistics().cpu_seconds = times.method;
    run_.result.recording_seconds = times.recording;
  }
  return end();
}

std::unique_ptr<Integrator> RunLoop::take_method() {
  return run_.integrator->may_begin_again() ? std::move(run_.integrator) : nullptr;
}

Result RunLoop::end() {
  conclude();
  return std::move(run_.result);
}

void RunLoop::begin() {
  if (run_.plan.sums_up) clock_.start();  // two system calls take as long as a step
  const State& start = run_.start();
  const Plan& plan = run_.plan;
  Integrator& method = *run_.integrator;
  const bool resumes = !plan.checkpoints.state.empty();
  // A run that is resumed begins only in order to take over its state: that basis has been reported before.
  method.use_partitions(resumes ? PartitionRequest{plan.partitions.threshold} : plan.partitions);
  run_.h = method.begin(start, plan.until);
  if (plan.first_step > 0.0) run_.h = run_.direction * plan.first_step;
  if (plan.fixed_step > 0.0) method.use_fixed_steps();
  if (!recorder_.idle() && !resumes) {
    clock_.begin();
    recorder_.start(start, method, run_.direction);
    clock_.end();
  }
  make_watches();
  if (auto ill_posed = ill_posed_from(run_.system, start, plan)) run_.fail(std::move(*ill_posed));
  if (!resumes) return;
  resume();
  method.use_partitions(plan.partitions);
}

// Guards look before a step in this order, at an attempt in the reverse one.
void RunLoop::make_watches() {
  const ConstrainedSystem& system = run_.system;
  const State& start = run_.start();
  const Plan& plan = run_.plan;
  const TurnGauge* const gauge = turn_gauge_of(system);
  // Backwards dampers feed errors, which end a run where they outgrow the motion.
  const bool may_feed_errors = run_.direction < 0.0 && system.has_input_power();
  auto errors = plan.estimate_sensitivity || may_feed_errors ? std::make_unique<ErrorGrowth>(system, start) : nullptr;
  auto turns = gauge != nullptr ? std::make_unique<TurnWatch>(*gauge, start, errors.get()) : nullptr;
  TurnWatch* const angles = turns.get();

  add<ProgressWatch>(guards_, start.t, angles, errors.get());
  if (plan.fixed_step > 0.0) add<FixedSteps>(guards_);
  if (turns) guards_.push_back(std::move(turns));
  if (plan.fixed_step == 0.0) {
    if (auto brief = brief_moments_of(system, start.t, plan.until)) add<BriefForces>(guards_, std::move(brief));
    if (system.switches() > 0) discontinuities_ = add<DiscontinuityWatch>(guards_, system, start, run_.h, run_.span());
  }

  const bool holds_rows = plan.measure_quality && holds_positions(run_.result.form);
  if (!plan.events.empty()) add<EventWatch>(observers_, system, plan.events, start);
  if (plan.dropped_rows || angles != nullptr || holds_rows) add<BreachWatch>(observers_, run_, angles, holds_rows);
  if (errors) observers_.push_back(std::move(errors));
  if (seen_ != nullptr) add<StepWatch>(observers_, *seen_, start.t);
}

bool RunLoop::advance() {
  const long accepted = run_.statistics().accepted;
  while (run_.statistics().accepted == accepted) {
    if (run_.is_over || run_.integrator->time() == run_.plan.until) return false;
    look_at_clock();
    cross_discontinuity();
    before_step();
    if (run_.is_over) break;
    const Attempt attempt = attempt_step();
    run_.trouble = attempt.trouble;
    if (!attempt.acceptable) {
      ++run_.statistics().rejected;
      run_.h = attempt.retry_step;
      continue;
    }
    ++run_.statistics().accepted;
    run_.h = run_.integrator->accept();
    run_.trouble = nullptr;
    after_step(*run_.integrator);
  }
  return !run_.is_over;
}

void RunLoop::cross_discontinuity() {
  if (run_.is_over || discontinuities_ == nullptr) return;
  const State before = run_.integrator->current();
  State beyond = before;
  const bool crosses = discontinuities_->cross(beyond, run_.plan.until);
  run_.is_stuck = discontinuities_->is_stuck();
  if (!crosses) return;
  const State& start = run_.start();
  if (auto broken = motion_broken_between(run_.system, start, before, beyond, run_.h))
    // A motion that runs away leaves residuals of its own size.
    return run_.fail(growth_of_velocities(run_.system, start, before) > runs_away
                         ? diagnose_growth(run_.system, start, before, run_.plan, run_.h)
                         : std::move(*broken));
  run_.h = go_on_from(*run_.integrator, beyond, run_.plan.until, discontinuities_->step());
  ++run_.statistics().steps;
  ++run_.statistics().accepted;
  Crossing crossing(before, beyond, *run_.integrator);
  after_step(crossing);
  run_.is_over = run_.is_over || beyond.t == run_.plan.until;
}

void RunLoop::before_step() {
  for (const auto& watch : guards_)
    if (!run_.is_over) watch->before_step(run_);
}

Attempt RunLoop::attempt_step() {
  const double t = run_.integrator->time(), until = run_.plan.until;
  const double longest = (run_.may_stretch ? 1.01 : 1.0) * std::abs(run_.h);
  Attempt attempt = run_.integrator->attempt(longest >= std::abs(until - t) ? until : t + run_.h);
  ++run_.statistics().steps;
  for (const auto& watch : reversed(guards_))
    if (attempt.acceptable) watch->after_attempt(run_, attempt);
  return attempt;
}

void RunLoop::after_step(Integrator& step) {
  if (recorder_.idle()) recorder_.count_step(step);
  if (observers_.empty() && recorder_.idle()) return;
  if (run_.plan.sums_up) clock_.begin();
  for (const auto& watch : observers_) watch->after_step(run_, step);
  run_.seen_at = step.time();
  if (!recorder_.idle()) record(step);  // asking for the state may cost an evaluation of a and lambda
  if (run_.plan.sums_up) clock_.end();
}

void RunLoop::record(Integrator& step) {
  const State& reached = run_.ended_at ? *run_.ended_at : step.current();
  recorder_.after_step(reached, step);
  if (run_.ended_at) recorder_.add_last_sample(reached, step);
}

void RunLoop::fail_for_want_of_room(const std::string& because, const std::string& advice) {
  run_.ended_at.reset();
  run_.fail(diagnose_no_room(run_.integrator->time(), run_.plan.until, run_.h, because, advice));
}

void RunLoop::conclude() {
  const ConstrainedSystem& system = run_.system;
  const Integrator& method = *run_.integrator;
  Result& result = run_.result;
  result.end = run_.ended_at ? *run_.ended_at : method.current();
  if (result.termination == Termination::ok && holds_positions(result.form)) {
    if (auto open = open_at_end(system, result.start, result.end, run_.h)) run_.fail(std::move(*open));
  }
  result.statistics = method.statistics();
  if (const std::string used = method.methods_used(); !used.empty()) result.method = used;
  if (!run_.plan.sums_up) return;
  recorder_.finish(result.end);
  result.singularities = passed_singularities(system, method.singularities());
  result.outputs = recorder_.outputs();
  result.quality = recorder_.quality();
  result.ledger = recorder_.ledger(result.end);
  if (!system.accounts_for_energy()) result.quality.energy_drift = std::numeric_limits<double>::quiet_NaN();
  if (const IndependentCoordinates* const used = method.independent_coordinates(); used != nullptr)
    result.partitions = Partitions{run_.plan.partitions.threshold, used->partitions, used->by_reason};
  for (const auto& watch : observers_) watch->conclude(run_);
  if (run_.plan.measure_quality && result.left_out_gap > result.quality.position_residual)
    result.quality.position_residual = result.left_out_gap;
  if (std::string missing = recorder_.missing_outputs(); !missing.empty()) result.warn(std::move(missing));
  warn_of_run(system, run_.method, run_.plan, result);
}

}  // namespace raak

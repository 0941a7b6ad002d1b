#include "run/watches/progress.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "run/diagnosis/backward_damping.h"
#include "run/diagnosis/diagnosis.h"
#include "run/diagnosis/locked.h"
#include "run/plan_checks.h"
#include "run/run_state.h"
#include "run/watches/growth.h"

namespace raak {

void ProgressWatch::before_step(RunState& run) {
  constexpr long most_steps_when_stuck = 1'000'000;  // in a switching function that is crossed to and fro
  const double t = run.integrator->time();
  const long steps = run.statistics().steps;
  const long left = run.is_stuck ? std::min(run.budget, most_steps_when_stuck) : run.budget - steps;
  const bool is_hopeless = steps >= pace_.next_look && pace_.is_hopeless(t, run.plan.until, left);
  const bool is_spent = steps >= run.budget;
  const bool is_short = !(std::abs(run.h) > shortest_step(t, run.span()));
  if (is_hopeless || is_spent || is_short || has_grown_ || seems_locked_) judge(run, is_hopeless, is_spent, is_short);
}

void ProgressWatch::judge(RunState& run, bool is_hopeless, bool is_spent, bool is_short) {
  const ConstrainedSystem& system = run.system;
  const State &start = run.start(), &last = run.integrator->current();
  if (!is_hopeless && !is_spent) {
    if (has_grown_) return run.fail(diagnose_growth(system, start, last, run.plan, run.h));
    if (std::exchange(seems_locked_, false) && find_lock(system, start, last))
      return run.fail(diagnose_small_step(system, start, last, run.plan, run.h, nullptr));
    if (!is_short) return;
  }
  // Near axes that are opposite, where an angle has no slope, steps are short whatever else there is.
  if (const auto angle = turns_ != nullptr ? turns_->nearly_opposite(last.q) : std::nullopt)
    run.fail(diagnose_opposite_axes(system, start, last, run.h, turns_->name(*angle)));
  else if (is_hopeless) run.fail(diagnose_pace(system, run.method, start, last, run.plan, pace_.mean_step));
  else if (is_spent) run.fail(diagnose_budget(system, run.method, start, last, run.plan, run.h, run.budget));
  else run.fail(diagnose_small_step(system, start, last, run.plan, run.h, run.trouble));
}

void ProgressWatch::after_attempt(RunState& run, Attempt& /*attempt*/) {
  constexpr long steps_between = 16;
  const long steps = run.statistics().steps;
  if (steps < next_growth_look_) return;
  next_growth_look_ = steps + steps_between;
  const State& end = run.integrator->attempted();
  has_grown_ = has_run_away(run.system, run.start(), end);
  if (run.direction < 0.0 && !feeding_resistance(run.system, run.start(), end).empty())
    has_grown_ = has_lost_digits(run.system, run.start(), end, run.plan, errors_);
  // Before a dead position steps shrink for ever. Whether it is one takes long to find out: less and less often.
  constexpr double far_too_short = 1e-10;  // of the run
  constexpr double fast = 50.0;            // less says little of what goes into the dead position
  if (steps >= next_lock_look_ && run.plan.fixed_step == 0.0 && std::abs(run.h) < far_too_short * run.span() &&
      growth_of_velocities(run.system, run.start(), end) > fast) {
    next_lock_look_ = 2 * steps;
    seems_locked_ = true;
  }
}

}  // namespace raak

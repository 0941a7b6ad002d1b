#include "run/integrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <new>
#include <utility>

#include "base/archive.h"
#include "base/error.h"
#include "base/kernel.h"
#include "base/text.h"
#include "run/backward_damping.h"
#include "run/broken_motion.h"
#include "run/diagnosis.h"
#include "run/energy_warning.h"
#include "run/error_growth.h"
#include "run/feedback.h"
#include "run/growth.h"
#include "run/jumps.h"
#include "run/pace.h"
#include "run/plan_checks.h"
#include "run/recorder.h"
#include "run/recording_clock.h"
#include "run/size_warning.h"
#include "run/turn_watch.h"
#include "run/undefined_events.h"
#include "system/consistent_start.h"
#include "system/kernel_system.h"

namespace raak {
namespace {

constexpr long many_steps = 1'000'000;             // few motions need so many for their accuracy
constexpr long most_steps_when_stuck = 1'000'000;  // in a switch that is crossed to and fro
// Of the size of the mechanism, or rad, of a row that was left out as redundant.
constexpr double largest_gap = 1e-6;
constexpr std::size_t reserved_memory = std::size_t{64} << 20;  // to write results with when there is no more
constexpr std::size_t most_named_poses = 8;  // the joints of later ones are those of the last one named

// A method that builds up its order comes to the end of the first step by much shorter ones that grow: else the error
// of its first step, which is of order 1, would be that of the whole run.
double next_fixed_step(double step, double elapsed, bool starts_at_order_one) {
  constexpr double shortest = 1e-5;
  constexpr double growth = 0.2;  // of a step over the one before: formulas of high order bear no more
  constexpr double almost = 1.0 - 1e-9;
  if (!starts_at_order_one || elapsed >= almost * step) return step;
  return std::min(std::max(growth * elapsed, shortest * step), step - elapsed);
}

// One run on its way.
class Course {
 public:
  Course(const ConstrainedSystem& system, const State& start, const Plan& plan, const Observer& observer)
      : system_(system),
        plan_(plan),
        method_(serving_method(system, find_method(plan.method))),
        direction_(plan.until >= start.t ? 1.0 : -1.0),
        budget_(budget_of(method_, plan)),
        recorder_(system, start, plan, observer),
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

  Result run() {
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
      forget_late_events();
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

 private:
  Statistics& statistics() { return integrator_->statistics(); }

  void begin() {
    const State& start = result_.start;
    h_ = integrator_->begin(start, plan_.until);
    if (plan_.first_step > 0.0) h_ = direction_ * plan_.first_step;
    if (plan_.fixed_step > 0.0) integrator_->use_fixed_steps();
    const bool resumes = !plan_.checkpoints.state.empty();
    if (!recorder_.idle() && !resumes) {
      recording_.begin();
      recorder_.start(start, *integrator_, direction_);
      recording_.end();
    }
    if (const TurnGauge* const gauge = turn_gauge_of(system_)) turns_.emplace(*gauge, start);
    if (plan_.estimate_sensitivity) error_growth_.emplace(system_, start);
    if (auto ill_posed = ill_posed_from(system_, start, plan_)) fails(std::move(*ill_posed));
    if (plan_.fixed_step == 0.0 && system_.switches() > 0) jumps_.emplace(system_, start, h_);
    if (resumes) resume();
  }

  // Everything that later steps depend on, and what was found so far.
  void visit_state(Archive& archive) {
    archive.name(result_.method);
    Archive start;
    start(result_.start);
    std::string bytes = start.bytes();
    archive(bytes);
    if (bytes != start.bytes())
      throw Error(ErrorKind::request,
                  "the model does not start as it did when the checkpoint was written: run it anew");
    if (const auto* kernels = dynamic_cast<const KernelSystem*>(&system_)) kernels->visit_state(archive);
    integrator_->visit_state(archive);
    archive(statistics(), recorder_, undefined_, pace_, h_, seen_at_, next_growth_look_, grown_);
    if (turns_) archive(*turns_);
    if (error_growth_) archive(*error_growth_);
    if (watch_) archive(*watch_);
    if (jumps_) archive(*jumps_);
    archive(result_.events, result_.left_out_gap, cpu_before_, recording_before_);
    bool troubled = trouble_ != nullptr;
    if (troubled) trouble_text_ = trouble_;
    archive(troubled, trouble_text_);
    trouble_ = troubled ? trouble_text_.c_str() : nullptr;
    // The others are the same after every construction, or are not asked for before the run ends.
    scratch(system_, plan_, method_, direction_, budget_, events_, opened_, recording_, by_event_, reserve_, began_);
    scratch(jump_, half_turn_, gaps_);
    scratch(next_checkpoint_, stops_);
  }
  void resume() {
    Archive archive(plan_.checkpoints.state);
    visit_state(archive);
    if (!archive.is_at_end()) throw Error(ErrorKind::request, "the checkpoint is damaged: it is longer than its parts");
  }
  // Between two steps, before anything of the next one.
  void look_at_clock() {
    stops_ = plan_.stop != nullptr && plan_.stop->load(std::memory_order_relaxed);
    if (plan_.checkpoints.seconds <= 0.0) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_checkpoint_ && !stops_) return;
    const double cpu = cpu_before_, recorded = recording_before_, recording = recording_.seconds();
    cpu_before_ += std::max(0.0, unprepared_cpu_seconds() - began_ - recording);
    recording_before_ += recording;
    recording_.begin();
    Archive archive;
    visit_state(archive);
    cpu_before_ = cpu;
    recording_before_ = recorded;
    plan_.checkpoints.write(archive.bytes());
    recording_.end();
    next_checkpoint_ =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(plan_.checkpoints.seconds));
  }

  bool is_stuck() const { return jumps_ && jumps_->is_stuck(); }

  bool crosses_jump_and_ends() {
    if (!jumps_) return false;
    const State before = integrator_->current();
    State beyond = before;
    if (!jumps_->cross(beyond, plan_.until)) return false;
    if (auto broken = motion_broken_between(system_, result_.start, before, beyond, h_))
      // A motion that runs away leaves residuals of its own size.
      return fails(has_grown(result_.start.v, before.v, runs_away)
                       ? diagnose_growth(system_, result_.start, before, plan_, h_)
                       : std::move(*broken));
    h_ = go_on_from(*integrator_, beyond, plan_.until, jumps_->step());
    ++statistics().steps;
    ++statistics().accepted;
    Crossing crossing(before, beyond, *integrator_);
    return ends_after(crossing) || beyond.t == plan_.until;
  }

  // Before a step: because somebody wants it, or because no step leads on.
  bool is_to_stop() {
    const double t = integrator_->time();
    if (stops_) {
      result_.termination = Termination::interrupted;
      result_.message = fmt::format("stopped at t = {:.6g} s of {:.6g} s", t, plan_.until);
      return true;
    }
    const long steps = statistics().steps;
    const long left = is_stuck() ? std::min(budget_, most_steps_when_stuck) : budget_ - steps;
    if (steps >= pace_.next_look && pace_.is_hopeless(t, plan_.until, left))
      return fails(diagnose_pace(system_, method_, result_.start, integrator_->current(), plan_, pace_.mean_step));
    if (steps >= budget_)
      return fails(diagnose_budget(system_, method_, result_.start, integrator_->current(), plan_, h_, budget_));
    if (grown_) return fails(diagnose_growth(system_, result_.start, integrator_->current(), plan_, h_));
    if (!(std::abs(h_) > shortest_step(t, std::abs(plan_.until - result_.start.t))))
      return fails(diagnose_small_step(system_, result_.start, integrator_->current(), plan_, h_, trouble_));
    return false;
  }
  bool fails(Diagnosis diagnosis) {
    if (is_stuck()) blame_switch(diagnosis);
    result_.termination = Termination::failed;
    result_.message = text_of(diagnosis);
    result_.diagnosis = std::move(diagnosis);
    return true;
  }

  // As a document events take ten times the memory that they take here.
  void forget_late_events() {
    constexpr std::size_t most = 1000;
    const std::size_t all = result_.events.size();
    if (all <= most) return;
    result_.events.erase(result_.events.begin() + most, result_.events.end());
    result_.events.shrink_to_fit();
    result_.warnings.push_back(
        fmt::format("only the first {} of {} events are listed: there is no memory for all of them", most, all));
  }

  // What there is by then is kept.
  void fails_for_want_of_room(const std::string& because, const std::string& advice) {
    const double t = integrator_->time();
    Diagnosis diagnosis;
    diagnosis.cause = Diagnosis::Cause::no_room;
    diagnosis.t = t;
    diagnosis.step = h_;
    diagnosis.happened = fmt::format("stopped at t = {:.9g} s of {:.9g} s", t, plan_.until);
    diagnosis.because = because;
    diagnosis.advice = advice;
    by_event_ = false;
    opened_.reset();
    fails(std::move(diagnosis));
  }

  // Before a step is accepted, whose end is known without its accelerations.
  void look_for_growth() {
    constexpr long steps_between = 16;
    next_growth_look_ = statistics().steps + steps_between;
    const State& end = integrator_->attempted();
    grown_ = has_run_away(result_.start.q, end.q) || has_run_away(result_.start.v, end.v);
    if (direction_ > 0.0 || grown_ || !has_lost_digits(result_.start, end.v, plan_)) return;
    const auto feedback = find_feedback(system_, end, direction_);
    grown_ = feedback && feedback->kind == EnergyAccount::Kind::dissipation;
  }

  bool takes_step_and_ends() {
    const double t = integrator_->time();
    if (plan_.fixed_step > 0.0 && trouble_ == nullptr) {
      const double elapsed = std::abs(t - result_.start.t);
      h_ = direction_ * next_fixed_step(plan_.fixed_step, elapsed, integrator_->starts_at_order_one());
    }
    if (turns_) count_turns();
    if (jumps_) h_ = jumps_->before_jump(integrator_->current(), h_, plan_.until);
    const double stretched = jumps_ && jumps_->is_approaching() ? 1.0 : 1.01;
    const bool last = std::abs(h_) * stretched >= std::abs(plan_.until - t);
    Attempt attempt = integrator_->attempt(last ? plan_.until : t + h_);
    ++statistics().steps;
    if (jumps_ && attempt.acceptable &&
        jumps_->is_passed_by(integrator_->current(), integrator_->attempted(), plan_.until))
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

  // Before a step; those of a fixed length stay as long as they are.
  void count_turns() {
    State now = integrator_->current();
    if (turns_->move_centres(now, h_)) {
      const double wanted = h_;
      const double first = go_on_from(*integrator_, now, plan_.until, h_);
      h_ = plan_.fixed_step > 0.0 ? wanted : first;
    }
    if (plan_.fixed_step == 0.0) h_ = turns_->limited(now, h_);
  }

  // What is done after each step, the short ones across jumps included; true: the run ends.
  bool ends_after(Integrator& step) {
    if (!watch_ && !plan_.left_out_gap && !turns_ && !error_growth_ && recorder_.idle()) return false;
    recording_.begin();
    const bool ends = ends_in_sight_of(step);
    recording_.end();
    return ends;
  }
  bool ends_in_sight_of(Integrator& step) {
    if (watch_) by_event_ = watch_->after_step(step, result_.events);
    std::optional<RowGap> gap;
    if (plan_.left_out_gap) gap = gap_after(step);
    if (turns_ && !opened_) look_for_half_turn(step);
    if (!opened_ && plan_.measure_quality && result_.form != "index2") look_for_jump_of_row(step);
    if (error_growth_) error_growth_->after_step(step, seen_at_);
    seen_at_ = step.time();
    if (!recorder_.idle()) {  // asking for the state may cost an evaluation of a and lambda
      const State& reached = opened_ ? *opened_ : by_event_ ? result_.events.back().state : step.current();
      recorder_.after_step(reached, step);
      if (opened_ || by_event_) recorder_.add_last_sample(reached, step);
    }
    if (jump_) return fails(std::move(*jump_));
    if (half_turn_) return fails(diagnose_half_turn(system_, result_.start, *opened_, h_, turns_->name(*half_turn_)));
    if (opened_) return fails(diagnose_open_row(system_, result_.start, *opened_, h_, *gap));
    if (!by_event_) return false;
    const EventRecord& event = result_.events.back();
    result_.message = fmt::format("event \"{}\" ended the run at t = {:.9g} s", event.name, event.state.t);
    return true;
  }

  // A constraint that is wide open after a step was passed by, as where a prescribed angle jumps by a turn.
  void look_for_jump_of_row(Integrator& step) {
    constexpr int halvings = 40;
    const State& reached = by_event_ ? result_.events.back().state : step.current();
    if (!is_far_open(system_, reached, gaps_)) return;
    State there = reached;
    jump_ = open_at_end(system_, result_.start, there, h_);
    double before = seen_at_;
    double after = there.t;
    for (int i = 0; i < halvings; ++i) {
      there.t = 0.5 * (before + after);
      step.interpolate(there.t, there.q, there.v);
      (is_far_open(system_, there, gaps_) ? after : before) = there.t;
    }
    there.t = before;
    step.interpolate(there.t, there.q, there.v);
    update_accelerations(system_, there);
    if (!blame_jumping_row(system_, there, direction_, *jump_)) {
      jump_.reset();  // told at the end, should it stay open
      return;
    }
    by_event_ = false;
    opened_ = std::move(there);
  }

  // A bushing that has turned too far ends the run where it did, found by bisection in the step.
  void look_for_half_turn(Integrator& step) {
    constexpr int halvings = 50;
    State there = by_event_ ? result_.events.back().state : step.current();
    half_turn_ = turns_->passed_half_turn(there.q);
    if (!half_turn_) return;
    by_event_ = false;
    double before = seen_at_;
    double after = there.t;
    for (int i = 0; i < halvings; ++i) {
      there.t = 0.5 * (before + after);
      step.interpolate(there.t, there.q, there.v);
      (turns_->passed_half_turn(there.q) ? after : before) = there.t;
    }
    there.t = before;
    step.interpolate(there.t, there.q, there.v);
    update_accelerations(system_, there);
    opened_ = std::move(there);
  }

  // The gap of the rows left out as redundant; one that opened is looked for inside the step, which may have gone far
  // beyond, by bisection.
  RowGap gap_after(Integrator& step) {
    constexpr int halvings = 40;
    RowGap gap = plan_.left_out_gap(by_event_ ? result_.events.back().state : step.current());
    if (!(gap.share <= largest_gap)) {
      State there = step.current();
      double closed = seen_at_;
      double open = by_event_ ? result_.events.back().state.t : there.t;
      by_event_ = false;
      for (int i = 0; i < halvings; ++i) {
        there.t = 0.5 * (closed + open);
        step.interpolate(there.t, there.q, there.v);
        (plan_.left_out_gap(there).share <= largest_gap ? closed : open) = there.t;
      }
      there.t = open;
      step.interpolate(there.t, there.q, there.v);
      update_accelerations(system_, there);
      gap = plan_.left_out_gap(there);
      opened_ = std::move(there);
    }
    result_.left_out_gap = std::max(result_.left_out_gap, gap.size);
    return gap;
  }

  void conclude() {
    result_.end = opened_ ? *opened_ : by_event_ ? result_.events.back().state : integrator_->current();
    if (result_.termination == Termination::ok && result_.form != "index2") {
      if (auto open = open_at_end(system_, result_.start, result_.end, h_)) fails(std::move(*open));
    }
    recorder_.finish(result_.end);
    for (const PoseRecord& pose : integrator_->poses()) {
      const bool named = result_.poses.size() < most_named_poses;
      PassedPose passed{pose.t, named ? dependent_joints(system_, pose.t, pose.q) : result_.poses.back().joints};
      // Coordinates may pass a pose that is special to their choice, in which no joints are dependent.
      if (!passed.joints.empty()) result_.poses.push_back(std::move(passed));
    }
    if (const std::string used = integrator_->methods_used(); !used.empty()) result_.method = used;
    result_.outputs = recorder_.outputs();
    result_.quality = recorder_.quality();
    if (plan_.measure_quality && result_.left_out_gap > result_.quality.position_residual)
      result_.quality.position_residual = result_.left_out_gap;
    result_.ledger = recorder_.ledger(result_.end);
    result_.statistics = statistics();
    if (!system_.accounts_for_energy()) result_.quality.energy_drift = std::numeric_limits<double>::quiet_NaN();
    if (error_growth_) result_.sensitivity = error_growth_->conclude(result_.tolerances.q.rtol);
    warn();
  }
  void warn() {
    const Statistics& work = result_.statistics;
    if (plan_.fixed_step > 0.0 && work.rejected > 0)
      result_.warnings.push_back(
          fmt::format("steps of {} s were refused {} times and taken in parts: \"{}\" could not solve for them",
                      plan_.fixed_step, work.rejected, method_.name));
    if (work.steps > many_steps && plan_.method != "auto" && plan_.fixed_step == 0.0)
      result_.warnings.push_back(
          fmt::format("{} steps were taken: stiffness may limit them. --method auto may need far fewer", work.steps));
    undefined_.tell(events_, result_.warnings);
    if (watch_) tell_of_fast_events(*watch_, events_, result_.warnings);
    if (std::string missing = recorder_.missing_outputs(); !missing.empty())
      result_.warnings.push_back(std::move(missing));
    if (result_.termination == Termination::failed) return;
    warn_of_sensitivity(result_);
    warn_of_large_atol(system_, result_);
    warn_of_violation(system_, plan_, result_);
    if (system_.accounts_for_energy()) warn_of_energy(system_, plan_, result_);
  }

  const ConstrainedSystem& system_;
  const Plan& plan_;
  const MethodInfo& method_;
  double direction_;
  long budget_;
  Result result_;
  std::unique_ptr<Integrator> integrator_;
  Recorder recorder_;
  UndefinedEvents undefined_;
  std::vector<Event> events_;
  std::optional<EventWatch> watch_;
  std::optional<JumpWatch> jumps_;
  std::optional<TurnWatch> turns_;
  std::optional<ErrorGrowth> error_growth_;
  Pace pace_;
  double h_ = 0.0;                 // s, signed: the step to try next
  std::optional<State> opened_;    // where a row that was left out as redundant opened, or an angle passed half a turn
  std::optional<Diagnosis> jump_;  // of a row
  Vector gaps_;                    // of all position rows
  std::optional<std::size_t> half_turn_;  // that angle
  double seen_at_ = 0.0;                  // s: up to there everything was looked at
  RecordingClock recording_;              // of what is not the method's work
  long next_growth_look_ = 0;
  bool grown_ = false;  // beyond all that a mechanism does
  const char* trouble_ = nullptr;
  bool by_event_ = false;
  std::string trouble_text_;                               // of a run that was resumed behind a refused step
  double cpu_before_ = 0.0, recording_before_ = 0.0;       // s, before the run was resumed
  double began_ = 0.0;                                     // s of CPU time
  std::chrono::steady_clock::time_point next_checkpoint_;  // the first at once: whatever happens then can be resumed
  bool stops_ = false;                                     // somebody wants it
  std::unique_ptr<std::byte[]> reserve_;
};

}  // namespace

Result integrate(const ConstrainedSystem& system, const State& start, const Plan& plan, const Observer& observer) {
  require_plan(system, start, plan);
  return Course(system, completed_start(system, start), plan, observer).run();
}

}  // namespace raak

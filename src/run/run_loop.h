// One run on its way: the loop over its steps, what is looked at between them, and its state for checkpoints.
#pragma once
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/archive.h"
#include "run/integrate.h"
#include "run/recorder.h"
#include "run/recording_clock.h"
#include "run/warnings/error_growth.h"
#include "run/watches/breach.h"
#include "run/watches/discontinuities.h"
#include "run/watches/pace.h"
#include "run/watches/turn_watch.h"
#include "run/watches/undefined_events.h"
#include "system/time/brief_moments.h"

namespace raak {

class RunLoop {
 public:
  RunLoop(const ConstrainedSystem& system, const State& start, const Plan& plan, const Observer& observer);

  Result run();

 private:
  Statistics& statistics() { return integrator_->statistics(); }
  void begin();

  // Everything that later steps depend on, and what was found so far.
  void visit_state(Archive& archive);
  void resume();
  // Between two steps, before anything of the next one.
  void look_at_clock();

  bool is_stuck() const { return discontinuities_ && discontinuities_->is_stuck(); }
  bool crosses_jump_and_ends();
  // Before a step: because somebody wants it, or because no step leads on.
  bool is_to_stop();
  bool fails(Diagnosis diagnosis);
  // What there is by then is kept.
  void fails_for_want_of_room(const std::string& because, const std::string& advice);
  // Before a step is accepted, whose end is known without its accelerations.
  void look_for_growth();
  bool takes_step_and_ends();
  // Before a step; those of a fixed length stay as long as they are.
  void count_turns();
  // What is done after each step, the short ones across jumps included; true: the run ends.
  bool ends_after(Integrator& step);
  bool ends_in_sight_of(Integrator& step);
  TurnWatch* turn_watch() { return turns_ ? &*turns_ : nullptr; }
  void conclude();

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
  std::optional<DiscontinuityWatch> discontinuities_;
  std::optional<TurnWatch> turns_;
  std::shared_ptr<const BriefMoments> brief_;  // null: nothing acts briefly
  std::optional<ErrorGrowth> error_growth_;
  BreachWatch breaches_;
  Pace pace_;
  double h_ = 0.0;                 // s, signed: the step to try next
  std::optional<State> ended_at_;  // inside a step: by an event, or by a breach
  double seen_at_ = 0.0;           // s: up to there everything was looked at
  RecordingClock recording_;       // of what is not the method's work
  long next_growth_look_ = 0;
  bool grown_ = false;  // beyond all that a mechanism does
  long next_lock_look_ = 0;
  bool seems_locked_ = false;  // by its velocities and steps
  const char* trouble_ = nullptr;
  std::string trouble_text_;                               // of a run that was resumed behind a refused step
  double cpu_before_ = 0.0, recording_before_ = 0.0;       // s, before the run was resumed
  double began_ = 0.0;                                     // s of CPU time
  std::chrono::steady_clock::time_point next_checkpoint_;  // the first at once: whatever happens then can be resumed
  bool stops_ = false;                                     // somebody wants it
  std::unique_ptr<std::byte[]> reserve_;
};

}  // namespace raak

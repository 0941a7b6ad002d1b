// One run: the loop over its steps with its watches, and its state for checkpoints.
#pragma once
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/archive.h"
#include "run/recorder.h"
#include "run/recording_clock.h"
#include "run/run_state.h"
#include "run/watches/discontinuities.h"
#include "run/watches/step_watch.h"
#include "run/watches/watch.h"

namespace raak {

class RunLoop {
 public:
  // `again`: the method of a run before, of the same system, method, form and tolerances; null: one is made.
  RunLoop(const ConstrainedSystem& system, const State& start, const Plan& plan, const Observer& observer,
          std::unique_ptr<Integrator> again = nullptr);

  Result run();
  // Before it: hands each accepted step to `seen`, which outlives the run.
  void show_steps_to(const StepEnd& seen) { seen_ = &seen; }

  // Step by step, for whoever has a loop of his own: begin() once, then advance() while it says true. A step may have
  // to be tried again: after each call either one more is accepted or the run is over.
  void begin();
  bool advance();
  // After the last one, or whenever the caller has enough.
  Result end();
  // Then: the method, for the next run; null where it cannot begin again.
  std::unique_ptr<Integrator> take_method();
  const Result& so_far() const { return run_.result; }
  const Statistics& statistics() const { return run_.integrator->statistics(); }

 private:
  using Watches = std::vector<std::unique_ptr<Watch>>;
  template <class Kind, class... Arguments>
  static Kind* add(Watches& watches, Arguments&&... arguments) {
    watches.push_back(std::make_unique<Kind>(std::forward<Arguments>(arguments)...));
    return static_cast<Kind*>(watches.back().get());
  }

  void make_watches();
  // Between two steps, before anything of the next one: stops, and writes a checkpoint where one is due.
  void look_at_clock();
  // By a step of its own where one is due at once.
  void cross_discontinuity();
  void before_step();
  Attempt attempt_step();
  void after_step(Integrator& step);
  void record(Integrator& step);
  // What there is by then is kept.
  void fail_for_want_of_room(const std::string& because, const std::string& advice);
  void conclude();

  // Everything that later steps depend on, and what was found so far.
  void visit_state(Archive& archive);
  void resume();

  RunState run_;
  Recorder recorder_;
  Watches guards_;                                 // of the steps
  Watches observers_;                              // of the motion: their time is not the method's
  DiscontinuityWatch* discontinuities_ = nullptr;  // among the guards
  RecordingClock clock_;
  std::chrono::steady_clock::time_point next_checkpoint_;  // the first at once: whatever happens then can be resumed
  std::string trouble_text_;                               // of a run that was resumed behind a refused step
  std::unique_ptr<std::byte[]> reserve_;
  const StepEnd* seen_ = nullptr;
};

}  // namespace raak

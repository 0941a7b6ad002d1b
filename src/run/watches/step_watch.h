// Hands each accepted step to whoever looks at the motion itself, without the measures and balances of a recorder: for
// runs by the thousand, of which a few numbers are kept.
#pragma once
#include <functional>
#include <utility>

#include "methods/resumable.h"
#include "run/run_state.h"
#include "run/watches/watch.h"

namespace raak {

// An accepted step from a time on, with its inside by its dense output. Valid only during the call.
struct SeenStep {
  double from;
  const State* cut;  // where an event or a breach has ended the run within the step; null: it goes to its end
  Integrator& step;

  double to() const { return cut != nullptr ? cut->t : step.time(); }
  // Where it ends, with accelerations or without: they may have to be found first.
  const State& end() const { return cut != nullptr ? *cut : step.current(); }
  const State& end_of_motion() const { return cut != nullptr ? *cut : step.motion(); }
};
using StepEnd = std::function<void(const SeenStep& seen)>;

class StepWatch final : public Watch {
 public:
  StepWatch(const StepEnd& seen, double start) : seen_(seen), before_(start) {}

  void after_step(RunState& run, Integrator& step) override {
    const SeenStep seen{before_, run.ended_at ? &*run.ended_at : nullptr, step};
    before_ = seen.to();
    seen_(seen);
  }

  void visit_state(Archive& archive) override {
    archive(before_);
    scratch(seen_);
  }

 private:
  const StepEnd& seen_;
  double before_;  // s
};

}  // namespace raak

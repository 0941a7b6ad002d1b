// Hands each accepted step to whoever looks at the motion itself, without the measures and balances of a recorder: for
// runs by the thousand, of which a few numbers are kept.
#pragma once
#include <functional>
#include <utility>

#include "methods/resumable.h"
#include "run/run_state.h"
#include "run/watches/watch.h"

namespace raak {

// An accepted step from a time to a state, with its inside by its dense output. Valid only during the call.
using StepEnd = std::function<void(double from, const State& reached, Integrator& step)>;

class StepWatch final : public Watch {
 public:
  StepWatch(const StepEnd& seen, double start) : seen_(seen), before_(start) {}

  // The part of the step up to where the run goes on, or was ended by an event or a breach.
  void after_step(RunState& run, Integrator& step) override {
    const State& reached = run.ended_at ? *run.ended_at : step.current();
    seen_(before_, reached, step);
    before_ = reached.t;
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

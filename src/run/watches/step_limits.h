// Steps of a fixed length, and steps that are short enough to see forces that act briefly.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "run/run_state.h"
#include "run/watches/watch.h"
#include "system/time/brief_moments.h"

namespace raak {

// A method that builds up its order comes to the end of the first step by much shorter ones that grow: else the error
// of its first step, which is of order 1, would be that of the whole run.
inline double next_fixed_step(double step, double elapsed, bool starts_at_order_one) {
  constexpr double shortest = 1e-5;
  constexpr double growth = 0.2;  // of a step over the one before: formulas of high order bear no more
  constexpr double almost = 1.0 - 1e-9;
  if (!starts_at_order_one || elapsed >= almost * step) return step;
  return std::min(std::max(growth * elapsed, shortest * step), step - elapsed);
}

class FixedSteps final : public Watch {
 public:
  // A step that was refused is taken in parts.
  void before_step(RunState& run) override {
    if (run.trouble != nullptr) return;
    const double elapsed = std::abs(run.integrator->time() - run.start().t);
    run.h = run.direction * next_fixed_step(run.plan.fixed_step, elapsed, run.integrator->starts_at_order_one());
  }
};

class BriefForces final : public Watch {
 public:
  explicit BriefForces(std::shared_ptr<const BriefMoments> moments) : moments_(std::move(moments)) {}
  void before_step(RunState& run) override { run.h = moments_->limited(run.integrator->time(), run.h); }

 private:
  std::shared_ptr<const BriefMoments> moments_;
};

}  // namespace raak

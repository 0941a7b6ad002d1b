// A run on its way, as its watches see it: where it is, the step to try next, and whether it has ended.
#pragma once
#include <cmath>
#include <memory>
#include <optional>

#include "methods/method.h"
#include "run/integrate.h"

namespace raak {

struct RunState {
  const ConstrainedSystem& system;
  const Plan& plan;
  const MethodInfo& method;
  double direction;  // 1: forwards in time, -1: backwards
  long budget;       // of steps, accepted or not
  Result result;
  std::unique_ptr<Integrator> integrator;
  double h = 0.0;                      // s, signed: the step to try next
  bool may_stretch = true;             // the step, so that it ends the run
  const char* trouble = nullptr;       // of the step that was refused last
  double seen_at = 0.0;                // s: up to there every watch has looked
  std::optional<State> ended_at = {};  // inside a step: by an event, or by a breach
  bool is_stuck = false;               // in a switching function that is crossed to and fro
  bool is_over = false;

  const State& start() const { return result.start; }
  double span() const { return std::abs(plan.until - result.start.t); }
  Statistics& statistics() { return integrator->statistics(); }
  void fail(Diagnosis diagnosis);
};

}  // namespace raak

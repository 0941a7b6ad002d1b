// What ends a run inside a step that its method accepted: a row that was left out as redundant opens, an angle without
// a centre passes half a turn, the axes of an angle become opposite, or a position row jumps open. Each is seen at the
// end of a step, which may lie far beyond, and then located inside it by bisection.
#pragma once
#include <optional>
#include <vector>

#include "methods/resumable.h"
#include "run/run_state.h"
#include "run/watches/turn_watch.h"

namespace raak {

struct Breach {
  State there;  // the last state that holds the constraints
  Diagnosis diagnosis;
};

class BreachWatch final : public Watch {
 public:
  // `turns` may be null. `rows`: position rows are watched as well, which are not held by forms that only solve for
  // velocities.
  BreachWatch(const RunState& run, TurnWatch* turns, bool rows);

  // Looks at the part of the step up to where the run goes on, or was ended by an event.
  void after_step(RunState& run, Integrator& step) override;
  void conclude(RunState& run) override { run.result.left_out_gap = largest_gap_; }

  void visit_state(Archive& archive) override {
    archive(largest_gap_);
    scratch(system_, start_, plan_, turns_, rows_, held_, g_);
  }

 private:
  std::optional<Breach> left_out_row(Integrator& step, double from, const State& end, double h);
  std::optional<Breach> half_turn(Integrator& step, double from, const State& end, double h);
  std::optional<Breach> opposite_axes(Integrator& step, double from, const State& end, double h);
  std::optional<Breach> jumping_row(Integrator& step, double from, const State& end, double h);

  const ConstrainedSystem& system_;
  const State& start_;
  const Plan& plan_;
  TurnWatch* turns_;
  bool rows_;
  std::vector<int> held_;     // rows that hold by definition
  double largest_gap_ = 0.0;  // of rows that were left out, SI
  Vector g_;
};

}  // namespace raak

// Counts the turns of angles along a run (system/turn_gauge.h): keeps steps short enough that no angle leaves the half
// turn on either side of its centre, moves the centres along between steps, and sees where an angle without one passes
// half a turn, or one about axes that tilt has none since these are opposite. Moving a centre changes no force, so that
// nothing has to be located; a method that keeps a history of states starts it anew.
#pragma once
#include <optional>
#include <vector>

#include "methods/resumable.h"
#include "run/run_state.h"
#include "run/watches/watch.h"
#include "system/constrained_system.h"
#include "system/turn_gauge.h"

namespace raak {

class ErrorGrowth;

class TurnWatch final : public Watch {
 public:
  // `errors` follows the motion in the same coordinates; it may be null.
  TurnWatch(const TurnGauge& gauge, const State& start, ErrorGrowth* errors);

  // Steps of a fixed length stay as long as they are.
  void before_step(RunState& run) override;
  void after_attempt(RunState& run, Attempt& attempt) override;

  // The angle without a centre that has passed half a turn, as its place among the angles.
  std::optional<std::size_t> passed_half_turn(const Vector& q);
  // Whether axes of any angle may tilt.
  bool watches_axes() const { return watches_axes_; }
  // The angle of which the second axis leans the other way at the end of a step than at its beginning, both times far
  // from the first: it may have passed where the two are opposite.
  std::optional<std::size_t> swung_over(const Vector& from, const Vector& to);
  // Whether it leans the other way, and whether the two are opposite.
  bool leans_back(std::size_t angle, const Vector& from, const Vector& to);
  bool are_opposite(std::size_t angle, const Vector& q);
  // The angle whose axes are nearly opposite: that may be what makes steps short.
  std::optional<std::size_t> nearly_opposite(const Vector& q);
  const std::string& name(std::size_t angle) const { return gauge_.angles()[angle].name; }

  // The centres are coordinates of the state.
  void visit_state(Archive& archive) override {
    archive(offsets_, there_, rates_, rates_there_, q_);
    scratch(gauge_, errors_, beyond_at_start_, watches_axes_);
  }

 private:
  // Before a step h from here: moves centres ahead of their angles where the step would bring these near the end of
  // what they read. True: the state has changed.
  bool move_centres(State& now, double h);
  // The step to try instead of h.
  double limited(const State& now, double h);
  // Whether a step leaves what its centres read.
  bool is_too_long(const State& now, const State& end);
  // rad/s, by angle.
  void find_rates(const State& at, double h, Vector& rates);

  const TurnGauge& gauge_;
  ErrorGrowth* errors_;
  Vector offsets_, there_, rates_, rates_there_, q_;
  bool watches_axes_ = false;
  std::vector<bool> beyond_at_start_;  // half a turn, by angle: the same rotation has two quaternions
};

// An angle without a centre has passed half a turn at `there`.
Diagnosis diagnose_half_turn(const ConstrainedSystem& system, const State& start, const State& there, double step,
                             const std::string& force);
// The axes of an angle are opposite at `there`.
Diagnosis diagnose_opposite_axes(const ConstrainedSystem& system, const State& start, const State& there, double step,
                                 const std::string& force);

}  // namespace raak

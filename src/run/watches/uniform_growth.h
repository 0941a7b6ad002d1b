// How fast errors grow about a motion that rests or goes on uniformly: as the mode that grows fastest of the motion
// linearized there. A method takes steps of any length over such a motion, unstable as it may be: an equilibrium solves
// the equations exactly, and nothing but rounding errors leads away from it.
#pragma once
#include <optional>

#include "methods/resumable.h"
#include "run/warnings/fastest_mode.h"

namespace raak {

// The mode of the motion linearized at a moment that grows fastest in the direction of a run: see fastest_mode().
FastestMode growing_mode(const ConstrainedSystem& system, const State& state, double direction);
// Its rate in 1/s; 0 where nothing grows, none where it cannot be found.
std::optional<double> growth_rate(const ConstrainedSystem& system, const State& state, double direction);

// The rate along a run, which is found anew where the state has changed.
class UniformGrowth {
 public:
  explicit UniformGrowth(const ConstrainedSystem& system) : system_(system) {}

  // None as well where it has been found too often.
  std::optional<double> rate(const State& at, double direction);

  void visit_state(Archive& archive) {
    archive(found_, rate_, q_, v_);
    scratch(system_);
  }

 private:
  const ConstrainedSystem& system_;
  int found_ = 0;
  std::optional<double> rate_;  // the last one
  Vector q_, v_;                // where
};

}  // namespace raak

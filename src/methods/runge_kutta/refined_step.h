// Dense output of the order of the step itself, for methods whose own interpolant falls behind their end points: the
// accelerations at eight Gauss points of the step are taken from the interpolant and then swept over as gauss sweeps
// over its stages (stage_lanes.h), which gains one or two orders of the step a time; what is left at the end is spread
// by a cubic, of q and v each on its own: an error of q over a short step would be a large one of v. Where the sweeps
// do not contract (a stiff step) the method's own interpolant stays. Iterated deferred correction of interpolants:
// Hairer, Norsett and Wanner I, section II.6, "bootstrapping".
#pragma once
#include <functional>
#include <memory>

#include "methods/collocation/stage_lanes.h"
#include "methods/method.h"

namespace raak {

class RefinedStep {
 public:
  // q and v of the method's own interpolant at t.
  using Interpolant = std::function<void(double t, Vector& q, Vector& v)>;

  RefinedStep(const ConstrainedSystem& system, const Tolerances& tolerances);

  // A new step was accepted.
  void forget() { looked_at_ = false; }

  void visit_state(Archive& archive) {
    archive(series_, weight_, end_q_, end_v_, looked_at_, refined_);
    scratch(system_, tolerance_, stages_, a_, lambda_);
  }
  // q and v at t within the step between two states.
  void interpolate(const State& from, const State& to, double t, const Interpolant& own, Vector& q, Vector& v);

 private:
  static constexpr int points = 8;
  bool refine(const State& from, const State& to, const Interpolant& own);

  const ConstrainedSystem& system_;
  Tolerance tolerance_;                         // of v
  std::unique_ptr<StageLanes<points>> stages_;  // made when they are asked for
  LaneArray series_;
  Vector weight_, a_, lambda_, end_q_, end_v_;
  bool looked_at_ = false, refined_ = false;
};

}  // namespace raak

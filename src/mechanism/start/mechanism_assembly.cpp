#include "mechanism/start/mechanism_assembly.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "kinematics/start/start_failure.h"
#include "mechanism/bodies/mass_ratio_check.h"
#include "mechanism/start/start_motion.h"
#include "system/turn_gauge.h"

namespace raak {

State MechanismAssembly::start(const StartRequest& start) const {
  const bool own = found_.q.size() > 0 && asks_alike(start, own_);
  const State of_bodies = own ? found_ : road_->find_motion(start);
  const State motion = from_bodies_ ? from_bodies_(of_bodies) : of_bodies;
  State state = State::of_size(system_->coordinates(), system_->rows());
  state.t = motion.t;
  state.q = motion.q;
  state.v = motion.v;
  if (const TurnGauge* const gauge = turn_gauge_of(*system_)) gauge->set_centres(state.q);
  if (own && regular_ && complete_regular_start(*system_, state)) return state;
  try {
    const bool regular = complete_start(*system_, state);
    if (own) regular_ = regular;
  } catch (const Error&) {
    check_mass_ratio(road_->all()->instance());
    throw;
  }
  // The coordinates of a tree may have accelerations where those of its bodies are beyond all numbers.
  if (!std::isfinite(state.v.squaredNorm()))
    throw StartFailure(
        StartFailure::Cause::not_finite,
        fmt::format("the accelerations at the start are not finite numbers: they grow with the square of the rates, "
                    "the largest of which is {:.3g}",
                    state.v.cwiseAbs().maxCoeff()),
        "start with smaller rates");
  return state;
}

}  // namespace raak

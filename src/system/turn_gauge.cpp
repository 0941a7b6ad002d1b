#include "system/turn_gauge.h"

#include <fmt/format.h>

#include "base/error.h"

namespace raak {

void TurnGauge::set_centres(Vector& q) const {
  constexpr double opposite = -1.0 + 1e-12;
  Vector values;
  for (const Angle& angle : angles_)
    if (angle.centre >= 0) q[angle.centre] = angle.rest;
  offsets(q, values);
  for (const Angle& angle : angles_)
    if (angle.tilt >= 0 && values[angle.tilt + 2] < opposite)
      throw Error(ErrorKind::computation,
                  fmt::format("at the start the axes of torsion spring \"{}\" point in opposite directions, where its "
                              "angle is not defined. Name the opposite direction of one of them, or start elsewhere",
                              angle.name));
  for (std::size_t i = 0; i < angles_.size(); ++i)
    if (angles_[i].centre >= 0) q[angles_[i].centre] += values[static_cast<Eigen::Index>(i)];
}

}  // namespace raak

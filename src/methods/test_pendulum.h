// The motion that the tests of methods share: a point pendulum that swings from the right.
#pragma once
#include "system/consistent_start.h"
#include "system/example_systems.h"

namespace raak {

inline const auto pendulum = make_system(example::PointPendulum{});

inline State pendulum_start() {
  StartRequest r;
  r.q = (Vector(2) << 1.2, -0.9).finished();
  r.v = (Vector(2) << 0.3, 0.0).finished();
  r.trusted_positions = {"x"};
  r.trusted_velocities = {"x"};
  return make_consistent(*pendulum, r);
}

}  // namespace raak

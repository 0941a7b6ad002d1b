// The motion that the tests of methods share, a point pendulum that swings from the right, and how they follow it.
#pragma once
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kinematics/start/consistent_start.h"
#include "methods/method.h"
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

// Steps until t = `until`, without ever asking the method for more than it proposes.
inline State advance(Integrator& method, const State& start, double until, double fixed_step = 0.0) {
  double h = method.begin(start, until);
  const double direction = until > start.t ? 1.0 : -1.0;
  int attempts = 0;
  while (method.current().t != until) {
    if (++attempts > 100'000) throw std::runtime_error("the method does not get on");
    if (fixed_step > 0.0) h = direction * fixed_step;
    const double t = method.current().t;
    const bool last = std::abs(h) * 1.01 >= std::abs(until - t);
    const Attempt attempt = method.attempt(last ? until : t + h);
    h = attempt.acceptable ? method.accept() : attempt.retry_step;
  }
  return method.current();
}

inline double distance(const State& a, const State& b) {
  return std::max((a.q - b.q).cwiseAbs().maxCoeff(), (a.v - b.v).cwiseAbs().maxCoeff());
}

}  // namespace raak

// The motion that the tests of runs share, with a period that is known.
#pragma once
#include <numbers>

#include "kinematics/start/consistent_start.h"
#include "system/equations/equations.h"

namespace raak {

// The pendulum of Starmans (1987), chapter 5, from rest at pi/6: its period is 2.6141895521915239523688 s, by the
// complete elliptic integral 4 sqrt((J + m l^2) / (m g l)) K(sin(pi/12)).
struct StarmansPendulum {
  static constexpr int coordinates = 3, constraints = 2;
  void mass(const auto&, const auto&, auto& M) const {
    M(0, 0) = M(1, 1) = 3.0;
    M(2, 2) = 2.0;
  }
  void force(const auto&, const auto&, const auto&, auto& f) const { f[1] = 3.0 * 9.8; }
  void constraint(const auto&, const auto& q, auto& g) const {
    g[0] = q[0] - 0.75 * sin(q[2]);
    g[1] = q[1] - 0.75 * cos(q[2]);
  }
  auto potential(const auto&, const auto& q) const { return -3.0 * 9.8 * q[1]; }
  static Description description() { return {{"x", "y", "phi"}, {"x", "y"}, {}}; }
};
inline constexpr double period = 2.6141895521915239523688;

inline const auto pendulum = make_system(StarmansPendulum{});

inline State start_at_rest() {
  StartRequest start;
  start.q = Vector{{0.4, 0.6, std::numbers::pi / 6.0}};
  start.v = Vector{{0.0, 0.0, 0.0}};
  start.trusted_positions = {"phi"};
  start.trusted_velocities = {"phi"};
  return make_consistent(*pendulum, start);
}

}  // namespace raak

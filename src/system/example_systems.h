// Small systems with known solutions, for tests: a point pendulum, a knife edge, a sleigh.
#pragma once
#include "system/equations/equations.h"

namespace raak::example {

// A point mass on a massless rod in the plane, y upwards.
struct PointPendulum {
  static constexpr int coordinates = 2;
  static constexpr int constraints = 1;
  double mass_ = 2.0, length = 1.5, g = 9.81;

  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = mass_; }
  void force(const auto&, const auto&, const auto&, auto& f) const { f[1] = -mass_ * g; }
  void constraint(const auto&, const auto& q, auto& r) const { r[0] = q[0] * q[0] + q[1] * q[1] - length * length; }
  auto potential(const auto&, const auto& q) const { return mass_ * g * q[1]; }
  static Description description() { return {{"x", "y"}, {"rod"}, {}}; }
};

// A skate on an inclined plane, x downhill; the blade at angle phi cannot move sideways.
struct KnifeEdge {
  static constexpr int coordinates = 3;
  static constexpr int constraints = 0;
  static constexpr int velocity_constraints = 1;
  double slope = 0.5235987755982988, g = 9.81;

  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = M(2, 2) = 1.0; }
  void force(const auto&, const auto&, const auto&, auto& f) const { f[0] = g * std::sin(slope); }
  void velocity_constraint(const auto&, const auto& q, const auto& v, auto& c) const {
    c[0] = v[1] * cos(q[2]) - v[0] * sin(q[2]);
  }
  auto potential(const auto&, const auto& q) const { return -(g * std::sin(slope)) * q[0]; }
  static Description description() { return {{"x", "y", "phi"}, {"blade"}, {}}; }
};

// Chaplygin's sleigh: the blade touches at (x, y), the centre of mass lies a ahead of it.
struct Sleigh {
  static constexpr int coordinates = 3;
  static constexpr int constraints = 0;
  static constexpr int velocity_constraints = 1;
  double m = 1.0, I = 0.1, a = 0.2;

  void mass(const auto&, const auto& q, auto& M) const {
    M(0, 0) = M(1, 1) = m;
    M(2, 0) = -m * a * sin(q[2]);
    M(2, 1) = m * a * cos(q[2]);
    M(2, 2) = I + m * a * a;
  }
  void force(const auto&, const auto& q, const auto& v, auto& f) const {
    f[0] = m * a * v[2] * v[2] * cos(q[2]);
    f[1] = m * a * v[2] * v[2] * sin(q[2]);
  }
  void velocity_constraint(const auto&, const auto& q, const auto& v, auto& c) const {
    c[0] = v[1] * cos(q[2]) - v[0] * sin(q[2]);
  }
  auto potential(const auto&, const auto& q) const { return 0.0 * q[0]; }  // no force but the blade's
  static Description description() { return {{"x", "y", "heading"}, {"blade"}, {}}; }
};

}  // namespace raak::example

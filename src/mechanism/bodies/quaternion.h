// Rates of unit quaternions: omega = 2 L p' in body axes, 2 E p' in ground axes. Nikravesh, Computer-Aided Analysis of
// Mechanical Systems, 1988, chapter 6.
#pragma once
#include <array>

#include "mechanism/geometry.h"

namespace raak {

template <class Real>
std::array<std::array<Real, 4>, 3> body_rates(const std::array<Real, 4>& p) {
  const auto& [w, x, y, z] = p;
  return {{{-x, w, z, -y}, {-y, -z, w, x}, {-z, y, -x, w}}};
}

// factor E r with E = [-x w -z y; -y z w -x; -z -y x w].
template <class Real>
Vec3<Real> ground_turn(double factor, const std::array<Real, 4>& p, const Real* r) {
  const auto& [w, x, y, z] = p;
  return {factor * (w * r[1] - x * r[0] + y * r[3] - z * r[2]), factor * (w * r[2] - y * r[0] + z * r[1] - x * r[3]),
          factor * (w * r[3] - z * r[0] + x * r[2] - y * r[1])};
}

// factor E' a.
template <class Real>
std::array<Real, 4> along_quaternion(double factor, const std::array<Real, 4>& p, const Vec3<Real>& a) {
  const auto& [w, x, y, z] = p;
  return {-factor * (x * a.x + y * a.y + z * a.z), factor * (w * a.x + z * a.y - y * a.z),
          factor * (w * a.y - z * a.x + x * a.z), factor * (w * a.z + y * a.x - x * a.y)};
}

// I a, with I given as Ixx, Iyy, Izz, Ixy, Ixz, Iyz.
template <class Real, class Inertia>
Vec3<Real> times_inertia(const std::array<Inertia, 6>& I, const Vec3<Real>& a) {
  return {I[0] * a.x + I[3] * a.y + I[4] * a.z, I[3] * a.x + I[1] * a.y + I[5] * a.z,
          I[4] * a.x + I[5] * a.y + I[2] * a.z};
}

}  // namespace raak

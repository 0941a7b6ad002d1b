// Rates of unit quaternions: omega = 2 L p' in body axes. Nikravesh, Computer-Aided Analysis of Mechanical Systems,
// 1988, chapter 6.
#pragma once
#include <array>

#include "mechanism/geometry.h"

namespace raak {

template <class Real>
std::array<std::array<Real, 4>, 3> body_rates(const std::array<Real, 4>& p) {
  const auto& [w, x, y, z] = p;
  return {{{-x, w, z, -y}, {-y, -z, w, x}, {-z, y, -x, w}}};
}

// I a, with I given as Ixx, Iyy, Izz, Ixy, Ixz, Iyz.
template <class Real, class Inertia>
Vec3<Real> times_inertia(const std::array<Inertia, 6>& I, const Vec3<Real>& a) {
  return {I[0] * a.x + I[3] * a.y + I[4] * a.z, I[3] * a.x + I[1] * a.y + I[5] * a.z,
          I[4] * a.x + I[5] * a.y + I[2] * a.z};
}

// The inertia along p that unit quaternions get so that their mass matrix can be inverted: it does no work.
template <class Real>
Real inertia_along(const std::array<Real, 6>& I) {
  return 4.0 / 3.0 * (I[0] + I[1] + I[2]);
}

}  // namespace raak

// Vectors and rotations in three dimensions over any scalar type. Planar mechanisms use them too: over the recording
// scalar a component that is always zero costs nothing.
#pragma once
#include <array>
#include <cmath>

#include "base/tape/live.h"

namespace raak {

template <class Real>
struct Vec3 {
  Real x{0.0}, y{0.0}, z{0.0};

  const Real& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  Real& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  friend Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec3 operator*(const Real& s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend Real dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  friend Vec3 cross(const Vec3& a, const Vec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  friend Real norm(const Vec3& a) {
    using std::sqrt;
    return sqrt(dot(a, a));
  }
};

using Vec3d = Vec3<double>;
// Numbers of a file, which may change with its parameters.
using Vec3n = Vec3<Live>;

inline Vec3d now(const Vec3n& a) {
  return {a.x.now(), a.y.now(), a.z.now()};
}
template <std::size_t N>
std::array<double, N> now(const std::array<Live, N>& numbers) {
  std::array<double, N> values;
  for (std::size_t i = 0; i < N; ++i) values[i] = numbers[i].now();
  return values;
}
inline Vec3n constant(const Vec3d& a) {
  return {a.x, a.y, a.z};
}

// Rows of a rotation matrix.
template <class Real>
struct Rotation {
  std::array<Vec3<Real>, 3> row;

  static Rotation identity() { return {{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}}; }
  static Rotation about_z(const Real& c, const Real& s) { return {{{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}}}; }
  // Of a quaternion (w, x, y, z) of unit length; of another length: scaled by its square.
  static Rotation of_quaternion(const Real& w, const Real& x, const Real& y, const Real& z) {
    return {{{{w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)},
              {2.0 * (x * y + w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x)},
              {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), w * w - x * x - y * y + z * z}}}};
  }
  Vec3<Real> operator*(const Vec3<Real>& a) const { return {dot(row[0], a), dot(row[1], a), dot(row[2], a)}; }
  Vec3<Real> transposed_times(const Vec3<Real>& a) const { return a.x * row[0] + a.y * row[1] + a.z * row[2]; }
};

// Two directions perpendicular to a given one and to each other.
inline std::array<Vec3n, 2> perpendiculars(const Vec3n& axis) {
  const bool steep = std::abs(axis.z.now()) > 0.9 * norm(axis).now();
  const Vec3n other = steep ? Vec3n{1.0, 0.0, 0.0} : Vec3n{0.0, 0.0, 1.0};
  const Vec3n first = cross(other, axis);
  const Vec3n u = (1.0 / norm(first)) * first;
  const Vec3n second = cross(axis, u);
  return {u, (1.0 / norm(second)) * second};
}

}  // namespace raak

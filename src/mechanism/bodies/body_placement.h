// Where a body is while its start is looked for: origin and rotation in ground axes, and which of them are listed.
#pragma once
#include <array>
#include <cmath>

#include "mechanism/geometry.h"

namespace raak {

inline std::array<double, 4> quaternion_of(const Vec3d& rotation) {
  const double angle = norm(rotation);
  const double s = angle > 0.0 ? std::sin(0.5 * angle) / angle : 0.5;
  return {std::cos(0.5 * angle), s * rotation.x, s * rotation.y, s * rotation.z};
}

struct BodyPlacement {
  Vec3d origin;
  Rotation<double> R = Rotation<double>::identity();
  double angle = 0.0;
  std::array<double, 4> p{1.0, 0.0, 0.0, 0.0};
  bool has_origin[3] = {false, false, false};
  bool has_rotation = false;
  bool placed = false;

  void set_angle(double a) {
    angle = a;
    R = Rotation<double>::about_z(std::cos(a), std::sin(a));
  }
  void set_quaternion(const std::array<double, 4>& quaternion) {
    p = quaternion;
    R = Rotation<double>::of_quaternion(p[0], p[1], p[2], p[3]);
  }
  // By a rotation vector in ground axes, after the rotation that it has.
  void turn_by(const Vec3d& rotation) {
    const auto [w, x, y, z] = quaternion_of(rotation);
    const auto [a, b, c, d] = p;
    set_quaternion({w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c, w * c - x * d + y * a + z * b,
                    w * d + x * c - y * b + z * a});
  }
  bool listed() const { return has_origin[0] && has_origin[1] && has_rotation; }
};

}  // namespace raak

// Directions fixed in bodies that joints compare. Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems,
// 1989, 9.4: parallel and perpendicular conditions as vanishing dot products.
#pragma once
#include <string>

#include "mechanism/element.h"

namespace raak {

// Two directions perpendicular to the i-th axis, fixed in its body.
inline std::array<Vector3, 2> across(const ElementScene& joint, const std::string& key, std::size_t i) {
  const Frame& f = joint.frame(key, i);
  const auto [u, v] = perpendiculars(joint.body_axis(key, i));
  return {f.direction(u), f.direction(v)};
}

// The angle of the second body about the first axis, seen from the first body, but for whole turns.
inline Real relative_angle(const ElementScene& joint, const std::string& key) {
  const auto [u, v] = across(joint, key, 0);
  const auto turned = across(joint, key, 1);
  return atan2(dot(v, turned[0]), dot(u, turned[0]));
}

// What an angle differs from its nearest whole turn.
inline Real within_half_a_turn(const Real& angle) {
  return atan2(sin(angle), cos(angle));
}

// The i-th axis stays parallel to the first: no row in the plane where axes are all the same.
inline void keep_parallel(const ElementScene& joint, const std::string& key, std::size_t i, Rows& rows) {
  const Vector3 axis = joint.axis(key, i);
  const auto [u, v] = across(joint, key, 0);
  rows.add("axis 1", dot(u, axis), "rad", sine_of_gap);
  rows.add("axis 2", dot(v, axis), "rad", sine_of_gap);
}

}  // namespace raak

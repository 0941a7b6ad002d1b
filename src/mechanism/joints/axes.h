// Directions fixed in bodies that joints compare. Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems,
// 1989, 9.4: parallel and perpendicular conditions as vanishing dot products.
#pragma once
#include <string>
#include <vector>

#include "mechanism/element.h"

namespace raak {

// Two directions perpendicular to the i-th axis, fixed in its body.
inline std::array<Vector3, 2> across(const ElementScene& joint, const std::string& key, std::size_t i) {
  const Frame& f = joint.frame(key, i);
  const auto [u, v] = perpendiculars(joint.body_axis(key, i));
  return {f.direction(u), f.direction(v)};
}

// The angle of the second body about an axis of the first, seen from the first body, but for whole turns; the axis in
// the coordinates of each body.
inline Real relative_angle(const Frame& first, const Vec3n& axis, const Frame& second, const Vec3n& axis_there) {
  const auto [u, v] = perpendiculars(axis);
  const Vector3 turned = second.direction(perpendiculars(axis_there)[0]);
  return atan2(dot(first.direction(v), turned), dot(first.direction(u), turned));
}
inline Real relative_angle(const ElementScene& joint, const std::string& key) {
  return relative_angle(joint.frame(key, 0), joint.body_axis(key, 0), joint.frame(key, 1), joint.body_axis(key, 1));
}

// What an angle differs from its nearest whole turn.
inline Real within_half_a_turn(const Real& angle) {
  return atan2(sin(angle), cos(angle));
}

// The i-th axis stays parallel to the first: no row in the plane where axes are all the same. The sine between them,
// first x i-th, in directions fixed in the first body or in the i-th.
inline void keep_parallel(const ElementScene& joint, const std::string& key, std::size_t i, Rows& rows) {
  const bool in_other = rows.begin_components(2, 2) == 1;
  const auto [u, v] = across(joint, key, in_other ? i : 0);
  if (!in_other) {
    const Vector3 axis = joint.axis(key, i);
    rows.add("axis 1", dot(u, axis), "rad", sine_of_gap);
    rows.add("axis 2", dot(v, axis), "rad", sine_of_gap);
    return;
  }
  const Vector3 axis = joint.axis(key, 0);
  rows.add("axis 1", -dot(u, axis), "rad", sine_of_gap);
  rows.add("axis 2", -dot(v, axis), "rad", sine_of_gap);
  const auto [u0, v0] = across(joint, key, 0);
  const Vector3 none;
  rows.turn_back({v, none - u}, {v0, none - u0});
}

// The directions of a set, fixed in the body of the i-th pin: two in the plane, three in space, along its axis last
// where it has one.
inline std::vector<Vector3> triad(const ElementScene& joint, std::size_t i) {
  const Frame& f = joint.frame("pins", i);
  Vec3n u{1.0, 0.0, 0.0};
  Vec3n v{0.0, 1.0, 0.0};
  if (joint.planar()) return {f.direction(u), f.direction(v)};
  if (joint.has("axes") && i < joint.count("axes")) {
    const auto [first, second] = perpendiculars(joint.body_axis("axes", i));
    u = first;
    v = second;
  }
  return {f.direction(u), f.direction(v), f.direction(cross(u, v))};
}

// The i-th pin coincides with the first: the gap in ground axes, or in directions fixed in the body of either.
inline void keep_together(const ElementScene& joint, std::size_t i, Rows& rows) {
  const Vector3 gap = joint.point("pins", i) - joint.point("pins", 0);
  const int size = joint.planar() ? 2 : 3;
  const int set = rows.begin_components(size, 3);
  if (set == 0) return rows.add_vector(joint.planar(), "", gap);
  const std::vector<Vector3> directions = triad(joint, set == 1 ? 0 : i);
  Vector3 components;
  std::vector<Vector3> ground(directions.size());
  for (int k = 0; k < size; ++k) {
    components[k] = dot(directions[static_cast<std::size_t>(k)], gap);
    ground[static_cast<std::size_t>(k)][k] = Real(1.0);
  }
  rows.add_vector(joint.planar(), "", components);
  rows.turn_back(directions, ground);
}

// The second pin stays on the line through the first along the first axis: the gap across it, in directions fixed in
// the first body or in the second, whose axis is parallel.
inline void keep_on_axis(const ElementScene& joint, Rows& rows) {
  const Vector3 offset = joint.point("pins", 1) - joint.point("pins", 0);
  const bool in_other = rows.begin_components(2, 2) == 1;
  const auto [u0, v0] = across(joint, "axes", 0);
  if (!in_other) {
    rows.add("across 1", dot(u0, offset));
    rows.add("across 2", dot(v0, offset));
    return;
  }
  // The part along the axis is no gap: with it the rows would change with the directions.
  const Vector3 axis = joint.axis("axes", 0);
  const Vector3 gap = offset - dot(axis, offset) * axis;
  const auto [u, v] = across(joint, "axes", 1);
  rows.add("across 1", dot(u, gap));
  rows.add("across 2", dot(v, gap));
  rows.turn_back({u, v}, {u0, v0});
}

}  // namespace raak

// Rack and pinion: the way of the rack along its axis, seen from the centre of the pinion, is radius times angle.
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

void rack_rows(const ElementScene& joint, Rows& rows) {
  const Vector3 way = joint.point("pins", 1) - joint.point("pins", 0);
  const Real turn = joint.frame("pins", 0).angle - joint.frame("pins", 1).angle;
  rows.add("mesh", dot(joint.axis("axes", 0), way) - joint.number("radius") * turn - joint.number("offset"));
}

}  // namespace

JointInfo rack_joint() {
  JointInfo info;
  info.name = "rack";
  info.summary = "rack and pinion: the rack moves radius times the angle of the pinion";
  info.example = R"(rack = { type = "rack", pins = ["pinion.C", "bar.O"], axes = ["bar.x"], radius = 0.02 })";
  info.spatial = false;
  info.arguments = {
      {"pins", ArgumentKind::points, "the centre of the pinion, then a point of the rack", 2, 2},
      {"axes", ArgumentKind::axes, "the direction of the rack, in its body", 1, 1},
      {"radius", ArgumentKind::length, "of the pinion, m; negative: the rack lies on its other side"},
      {"offset", ArgumentKind::length, "way of the rack where the pinion has angle 0, m", 1, 1, true, "0"}};
  info.rows = rack_rows;
  return info;
}

}  // namespace raak

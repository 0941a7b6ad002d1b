// A disc rolls on a straight line of another body, on its left seen along the axis: its centre keeps the radius as
// distance, and the way along the line plus radius times angle stays what it is (offset).
#include <fmt/format.h>

#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

void rolling_rows(const ElementScene& joint, Rows& rows) {
  const Vector3 way = joint.point("pins", 1) - joint.point("pins", 0);
  const Vector3 axis = joint.axis("axes", 0);
  const Number radius = joint.number("radius");
  if (!(radius.sign() > 0))
    refuse_at(joint.element().at("radius").place,
              fmt::format("the radius of a disc is {}, expected a positive number of m", radius.now()));
  const Real turn = joint.frame("pins", 1).angle - joint.frame("pins", 0).angle;
  rows.add("height", cross(axis, way).z - radius);
  rows.add("roll", dot(axis, way) + radius * turn - joint.number("offset"));
}

Real way_of(const ElementScene& joint) {
  return dot(joint.axis("axes", 0), joint.point("pins", 1) - joint.point("pins", 0));
}

}  // namespace

JointInfo rolling_joint() {
  JointInfo info;
  info.name = "rolling";
  info.summary = "disc that rolls on a line without slip";
  info.example = R"(road = { type = "rolling", pins = ["ground.O", "wheel.C"], axes = ["ground.x"], radius = 0.3 })";
  info.spatial = false;
  info.arguments = {
      {"pins", ArgumentKind::points, "a point of the line, then the centre of the disc", 2, 2},
      {"axes", ArgumentKind::axes, "the direction of the line; the disc is on its left", 1, 1},
      {"radius", ArgumentKind::length, "of the disc, m"},
      {"offset", ArgumentKind::length, "way along the line + radius * angle of the disc, m", 1, 1, true, "0"}};
  info.rows = rolling_rows;
  info.drawn_as = DrawingElement::Kind::disc;
  info.coordinate = way_of;
  return info;
}

}  // namespace raak

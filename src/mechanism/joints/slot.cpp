// A pin of one body slides in a straight slot of another: in space, a point on a line.
#include "mechanism/joints/axes.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

void slot_rows(const ElementScene& joint, Rows& rows) {
  const Vector3 offset = joint.point("pins", 1) - joint.point("pins", 0);
  if (joint.planar()) {
    rows.add("across", cross(joint.axis("axes", 0), offset).z);
    return;
  }
  const auto [u, v] = across(joint, "axes", 0);
  rows.add("across 1", dot(u, offset));
  rows.add("across 2", dot(v, offset));
}

Real slide_along_slot(const ElementScene& joint) {
  return dot(joint.axis("axes", 0), joint.point("pins", 1) - joint.point("pins", 0));
}

}  // namespace

JointInfo slot_joint() {
  JointInfo info;
  info.name = "slot";
  info.summary = "pin in a straight slot";
  info.example = R"(slide = { type = "slot", pins = ["arm.O", "crank.P"], axes = ["arm.x"] })";
  info.arguments = {{"pins", ArgumentKind::points, "a point of the slot, then the pin", 2, 2},
                    {"axes", ArgumentKind::axes, "the direction of the slot, in its body", 1, 1}};
  info.rows = slot_rows;
  info.coordinate = slide_along_slot;
  info.spatial = false;
  return info;
}

JointInfo point_on_line_joint() {
  JointInfo info = slot_joint();
  info.name = "point-on-line";
  info.summary = "a point stays on a line of another body";
  info.example = R"(rail = { type = "point-on-line", pins = ["ground.O", "bead"], axes = ["ground.x"] })";
  info.planar = false;
  info.spatial = true;
  info.first_pulled_point = 1;
  return info;
}

}  // namespace raak

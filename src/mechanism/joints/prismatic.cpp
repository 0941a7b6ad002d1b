// A body slides along an axis of another without turning. Haug 1989, 3.3 and 9.4.
#include "mechanism/joints/axes.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

void prismatic_rows(const ElementScene& joint, Rows& rows) {
  const Vector3 offset = joint.point("pins", 1) - joint.point("pins", 0);
  if (joint.planar()) {
    const Vector3 axis = joint.axis("axes", 0);
    rows.add("across", cross(axis, offset).z);
    rows.add("angle", cross(axis, joint.axis("axes", 1)).z, "rad", sine_of_gap);
    return;
  }
  const auto [u, v] = across(joint, "axes", 0);
  rows.add("across 1", dot(u, offset));
  rows.add("across 2", dot(v, offset));
  keep_parallel(joint, "axes", 1, rows);
  rows.add("twist", dot(v, across(joint, "axes", 1)[0]), "rad", sine_of_gap);
}

Real slide_of_prismatic(const ElementScene& joint) {
  return dot(joint.axis("axes", 0), joint.point("pins", 1) - joint.point("pins", 0));
}

}  // namespace

JointInfo prismatic_joint() {
  JointInfo info;
  info.name = "prismatic";
  info.summary = "slide: one body moves along an axis of the other without turning";
  info.example = R"(rail = { type = "prismatic", pins = ["ground.O", "cart.O"], axes = ["ground.x", "cart.x"] })";
  info.arguments = {{"pins", ArgumentKind::points, "a point on the axis in each body", 2, 2},
                    {"axes", ArgumentKind::axes, "the direction of sliding in each body", 2, 2}};
  info.rows = prismatic_rows;
  info.coordinate = slide_of_prismatic;
  info.keeps_orientation = true;
  info.axes_lie = AxesLie::in_line;
  info.tree_steps = {{TreeStep::slide_z}};
  return info;
}

}  // namespace raak

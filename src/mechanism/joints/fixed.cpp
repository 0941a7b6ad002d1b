// Two bodies move as one, at a given angle in the plane, with parallel frames in space.
#include "mechanism/joints/axes.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

void fixed_rows(const ElementScene& joint, Rows& rows) {
  keep_together(joint, 1, rows);
  const Frame& first = joint.frame("pins", 0);
  const Frame& second = joint.frame("pins", 1);
  if (joint.planar()) {
    rows.add("angle", second.angle - first.angle - joint.number("angle"), "rad");
    return;
  }
  const Vec3n x{1.0, 0.0, 0.0};
  const Vec3n y{0.0, 1.0, 0.0};
  const Vec3n z{0.0, 0.0, 1.0};
  rows.add("turn x", dot(first.direction(y), second.direction(z)), "rad", sine_of_gap);
  rows.add("turn y", dot(first.direction(z), second.direction(x)), "rad", sine_of_gap);
  rows.add("turn z", dot(first.direction(x), second.direction(y)), "rad", sine_of_gap);
}

}  // namespace

JointInfo fixed_joint() {
  JointInfo info;
  info.name = "fixed";
  info.summary = "weld: two bodies move as one";
  info.example = R"(weld = { type = "fixed", pins = ["frame.P", "plate.P"], angle = 0.5 })";
  info.arguments = {{"pins", ArgumentKind::points, "the points that coincide", 2, 2},
                    {"angle", ArgumentKind::number, "planar: of the second body in the first, rad", 1, 1, true, "0"}};
  info.rows = fixed_rows;
  info.keeps_points_together = true;
  info.keeps_orientation = true;
  info.tree_steps.emplace();
  return info;
}

}  // namespace raak

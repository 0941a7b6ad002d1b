// Hooke's joint: points coincide and the axes of the cross stay perpendicular. Haug 1989, 9.4.
#include "mechanism/joints/axes.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

void universal_rows(const ElementScene& joint, Rows& rows) {
  keep_together(joint, 1, rows);
  rows.add("cross", dot(joint.axis("axes", 0), joint.axis("axes", 1)), "rad", sine_of_gap);
}

}  // namespace

JointInfo universal_joint() {
  JointInfo info;
  info.name = "universal";
  info.summary = "Hooke's joint: points coincide, two axes stay perpendicular";
  info.example = R"(C = { type = "universal", pins = ["slider.C", "rod.C"], axes = ["slider.x", "rod.y"] })";
  info.planar = false;
  info.arguments = {{"pins", ArgumentKind::points, "the points that coincide", 2, 2},
                    {"axes", ArgumentKind::axes, "the axis of the cross in each body", 2, 2}};
  info.rows = universal_rows;
  info.keeps_points_together = true;
  info.axes_lie = AxesLie::perpendicular;
  info.tree_steps = {{TreeStep::turn, TreeStep::cross, TreeStep::turn}};
  return info;
}

}  // namespace raak

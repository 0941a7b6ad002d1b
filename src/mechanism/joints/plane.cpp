// Contact with a plane: a point on it, or a body that slides on it without tilting (planar joint).
#include "mechanism/joints/axes.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

void height_row(const ElementScene& joint, Rows& rows) {
  rows.add("height", dot(joint.axis("axes", 0), joint.point("pins", 1) - joint.point("pins", 0)));
}

void planar_rows(const ElementScene& joint, Rows& rows) {
  height_row(joint, rows);
  keep_parallel(joint, "axes", 1, rows);
}

}  // namespace

JointInfo point_on_plane_joint() {
  JointInfo info;
  info.name = "point-on-plane";
  info.summary = "a point stays in a plane of another body";
  info.example = R"(floor = { type = "point-on-plane", pins = ["ground.O", "leg.P"], axes = ["ground.z"] })";
  info.planar = false;
  info.arguments = {{"pins", ArgumentKind::points, "a point of the plane, then the point on it", 2, 2},
                    {"axes", ArgumentKind::axes, "the normal of the plane, in its body", 1, 1}};
  info.rows = height_row;
  info.first_pulled_point = 1;
  return info;
}

JointInfo planar_joint() {
  JointInfo info;
  info.name = "planar";
  info.summary = "a body slides on a plane of another without tilting";
  info.example = R"(table = { type = "planar", pins = ["ground.O", "puck.C"], axes = ["ground.z", "puck.z"] })";
  info.planar = false;
  info.arguments = {{"pins", ArgumentKind::points, "a point of the plane in each body", 2, 2},
                    {"axes", ArgumentKind::axes, "the normal of the plane in each body", 2, 2}};
  info.rows = planar_rows;
  info.axes_lie = AxesLie::parallel;
  info.tree_steps = {{TreeStep::slide_x, TreeStep::slide_y, TreeStep::turn}};
  return info;
}

}  // namespace raak

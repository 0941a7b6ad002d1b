// Ball joint: points coincide, all rotations are free.
#include "mechanism/joints/axes.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

void spherical_rows(const ElementScene& joint, Rows& rows) {
  for (std::size_t i = 1; i < joint.count("pins"); ++i) keep_together(joint, i, rows);
}

}  // namespace

JointInfo spherical_joint() {
  JointInfo info;
  info.name = "spherical";
  info.summary = "ball joint: points coincide";
  info.example = R"(ball = { type = "spherical", pins = ["ground.O", "rod.P"] })";
  info.planar = false;
  info.arguments = {{"pins", ArgumentKind::points, "points that coincide with the first", 2, 1000}};
  info.rows = spherical_rows;
  info.keeps_points_together = true;
  info.tree_steps = {{TreeStep::ball}};
  info.first_pulled_point = 0;
  return info;
}

}  // namespace raak

// Points of two or more bodies coincide; in space their axes stay parallel too. Haug 1989, 3.3 and 9.4.
#include <fmt/format.h>

#include "mechanism/joints/axes.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

void revolute_rows(const ElementScene& joint, Rows& rows) {
  for (std::size_t i = 1; i < joint.count("pins"); ++i) {
    keep_together(joint, i, rows);
    if (!joint.planar()) keep_parallel(joint, "axes", i, rows);
  }
}

Real angle_of(const ElementScene& joint) {
  if (joint.planar()) return joint.frame("pins", 1).angle - joint.frame("pins", 0).angle;
  return relative_angle(joint, "axes");
}

void check_revolute(const Element& joint, bool planar) {
  if (planar) return;
  if (!joint.has("axes"))
    refuse_at(joint.place, fmt::format("in space the joint \"{}\" needs axes, one for each pin", joint.name));
  const std::size_t pins = joint.at("pins").points.size();
  const std::size_t axes = joint.at("axes").axes.size();
  if (pins != axes)
    refuse_at(joint.at("axes").place, fmt::format("expected an axis for each of the {} pins, found {}", pins, axes));
}

}  // namespace

JointInfo revolute_joint() {
  JointInfo info;
  info.name = "revolute";
  info.summary = "hinge: points coincide, one rotation is left";
  info.example = R"(O = { type = "revolute", pins = ["ground.O", "crank.O"] })";
  info.arguments = {{"pins", ArgumentKind::points, "points that coincide with the first", 2, 1000},
                    {"axes", ArgumentKind::axes, "in space: the hinge axis in each body", 2, 1000, true}};
  info.rows = revolute_rows;
  info.coordinate = angle_of;
  info.coordinate_unit = "rad";
  info.keeps_points_together = true;
  info.axes_lie = AxesLie::in_line;
  info.tree_steps = {{TreeStep::turn}};
  info.check = check_revolute;
  return info;
}

}  // namespace raak

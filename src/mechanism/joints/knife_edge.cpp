// A blade moves along itself only: no velocity across it (non-holonomic). Chaplygin 1911; Neimark and Fufaev 1972.
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

void knife_edge_rows(const ElementScene& joint, Rows& rows) {
  const Scene& scene = joint.scene();
  const auto& pins = joint.element().at("pins").points;
  const Vector3 pin = joint.point("pins", 1);
  const Vector3 base = joint.point("pins", 0);
  const Vector3 normal = joint.planar() ? Vector3{Real(0.0), Real(0.0), Real(1.0)} : joint.axis("axes", 1);
  const Vector3 surface = scene.rate(base) + cross(scene.angular_velocity(pins[0].body), pin - base);
  rows.add("across", dot(cross(normal, joint.axis("axes", 0)), scene.rate(pin) - surface));
}

void check_knife_edge(const Element& joint, bool planar) {
  if (!planar && joint.at("axes").axes.size() != 2)
    refuse_at(joint.at("axes").place, "in space a knife edge needs two axes: the blade and the normal of the surface");
}

}  // namespace

JointInfo knife_edge_joint() {
  JointInfo info;
  info.name = "knife-edge";
  info.summary = "blade or skate: a point moves along the blade only";
  info.example = R"(skate = { type = "knife-edge", pins = ["ground.O", "sleigh.A"], axes = ["sleigh.x"] })";
  info.arguments = {{"pins", ArgumentKind::points,
                     "a point of the body it moves on, then the blade; its height is left to other joints", 2, 2},
                    {"axes", ArgumentKind::axes, "the direction of the blade; in space also the normal", 1, 2}};
  info.velocity_rows = knife_edge_rows;
  info.axes_lie = AxesLie::perpendicular;
  info.axes_belong_to_pins = false;
  info.check = check_knife_edge;
  return info;
}

}  // namespace raak

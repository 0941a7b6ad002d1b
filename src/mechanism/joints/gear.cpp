// A pair of gears: angle of the second = ratio * angle of the first + phase, both seen from the carrier (Willis 1841).
// In space their angular velocities about given axes: a velocity row.
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

void rows_of(const ElementScene& joint, Rows& rows) {
  if (!joint.planar()) return;
  const Real carrier = joint.has("carrier") ? joint.frame("carrier", 0).angle : Real(0.0);
  const Real first = joint.frame("bodies", 0).angle - carrier;
  const Real second = joint.frame("bodies", 1).angle - carrier;
  rows.add("mesh", second - joint.number("ratio") * first - joint.number("phase"));
}

void rates_of(const ElementScene& joint, Rows& rows) {
  if (joint.planar()) return;
  if (joint.number("phase").value() != 0.0)
    refuse_at(joint.element().at("phase").place, "a gear pair in space has no phase: its start decides how teeth meet");
  const Scene& scene = joint.scene();
  const Argument& gears = joint.element().at("bodies");
  const Vector3 carrier =
      joint.has("carrier") ? scene.angular_velocity(joint.element().at("carrier").bodies[0]) : Vector3{};
  const auto turn = [&](std::size_t i) {
    return dot(joint.axis("axes", i), scene.angular_velocity(gears.bodies[i]) - carrier);
  };
  rows.add("mesh", turn(1) - joint.number("ratio") * turn(0));
}

}  // namespace

JointInfo gear_joint() {
  JointInfo info;
  info.name = "gear";
  info.summary = "pair of gears: the second turns ratio times as far as the first";
  info.example = R"(gears = { type = "gear", bodies = ["a", "b"], ratio = -2.0 })";
  info.arguments = {
      {"bodies", ArgumentKind::bodies, "the two gears", 2, 2},
      {"ratio", ArgumentKind::number, "angle of the second per angle of the first; negative: outside gears"},
      {"phase", ArgumentKind::number, "planar: angle of the second where the first has angle 0, rad", 1, 1, true, "0"},
      {"carrier", ArgumentKind::bodies, "the body that holds both", 1, 1, true},
      {"axes", ArgumentKind::axes, "in space: the axis of each gear", 2, 2, true}};
  info.rows = rows_of;
  info.velocity_rows = rates_of;
  return info;
}

}  // namespace raak

// Bushing: springs and dampers that hold two points together and two bodies parallel. In space the torque of the spring
// is k theta about the axis of the relative rotation of the frames, V = k theta^2 / 2 with theta = 2 atan(|e| / |w|) of
// its quaternion (w, e), and that of the damper -d (omega2 - omega1).
#include "mechanism/forces/catalogue.h"

namespace raak {
namespace {

// The square of the angle between two frames. At parallel frames |e| has no slope, though its square has: far below the
// rounding of theta the root is kept from zero.
Real turn_squared(const Frame& from, const Frame& to) {
  constexpr double below_rounding = 1e-32;
  const auto& [a, b, c, d] = from.p;
  const auto& [w, x, y, z] = to.p;
  const Vector3 e{a * x - b * w - c * z + d * y, a * y + b * z - c * w - d * x, a * z - b * y + c * x - d * w};
  const Real half = atan2(sqrt(dot(e, e) + below_rounding), abs(a * w + b * x + c * y + d * z));
  return 4.0 * half * half;
}

void apply_in_space(const ElementScene& force, ForceSink& sink) {
  if (force.number("angle").value() != 0.0)
    refuse_at(force.element().at("angle").place,
              "a bushing in space is at rest with parallel frames and has no \"angle\"; leave it out, or use a "
              "torsion-spring about an axis");
  const Frame& first = force.frame("pins", 0);
  const Frame& second = force.frame("pins", 1);
  if (force.number("torsion").value() != 0.0)
    sink.add_potential(0.5 * force.number("torsion") * turn_squared(first, second));
  if (force.number("torsion-damping").value() == 0.0) return;
  const Scene& scene = force.scene();
  const Vector3 torque =
      force.number("torsion-damping") * (scene.angular_velocity(first.index) - scene.angular_velocity(second.index));
  sink.add_torque(scene, second.index, torque, true);
  sink.add_torque(scene, first.index, Real(-1.0) * torque, true);
}

void apply(const ElementScene& force, ForceSink& sink) {
  const Vector3 offset = force.point("pins", 1) - force.point("pins", 0);
  sink.add_potential(0.5 * force.number("stiffness") * dot(offset, offset));
  if (force.number("damping").value() != 0.0) {
    const Vector3 rate = force.scene().rate(offset);
    for (int i = 0; i < 3; ++i) sink.add_damping(offset[i], -force.number("damping") * rate[i]);
  }
  if (!force.planar()) {
    apply_in_space(force, sink);
    return;
  }
  const Real angle = force.frame("pins", 1).angle - force.frame("pins", 0).angle;
  const Real twist = angle - force.number("angle");
  sink.add_potential(0.5 * force.number("torsion") * twist * twist);
  if (force.number("torsion-damping").value() != 0.0)
    sink.add_damping(angle, -force.number("torsion-damping") * force.scene().rate(angle));
}

}  // namespace

ForceInfo bushing_force() {
  ForceInfo info;
  info.name = "bushing";
  info.summary = "rubber bearing: springs and dampers that hold two points together and two bodies parallel";
  info.example = R"(b = { type = "bushing", pins = ["frame.P", "arm.P"], stiffness = 1e6, damping = 100.0 })";
  info.arguments = {
      {"pins", ArgumentKind::points, "the points held together", 2, 2},
      {"stiffness", ArgumentKind::number, "N/m", 1, 1, true, "0"},
      {"damping", ArgumentKind::number, "N s/m", 1, 1, true, "0"},
      {"torsion", ArgumentKind::number, "N m/rad", 1, 1, true, "0"},
      {"torsion-damping", ArgumentKind::number, "N m s/rad", 1, 1, true, "0"},
      {"angle", ArgumentKind::number, "planar: of the second body in the first at rest, rad", 1, 1, true, "0"}};
  info.apply = apply;
  return info;
}

}  // namespace raak

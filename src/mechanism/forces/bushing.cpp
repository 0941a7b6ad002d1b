// Bushing: springs and dampers that hold two points together and two bodies parallel. In space the torque of the spring
// is k theta about the axis of the relative rotation of the frames, V = k theta^2 / 2 with theta = 2 atan(|e| / |w|) of
// its quaternion (w, e), and that of the damper -d (omega2 - omega1). Beyond half a turn the axis would turn round: a
// run ends there. Where a hinge leaves the bodies one axis, which both see in the same direction, theta is the angle
// about it and counts turns.
#include <optional>

#include "mechanism/forces/catalogue.h"
#include "mechanism/forces/kept_axes.h"
#include "mechanism/joints/axes.h"

namespace raak {
namespace {

// The axis of a hinge or sleeve between the two bodies, about which they turn from parallel frames.
std::optional<Vec3n> hinge_axis(const Instance& instance, const Element& force) {
  constexpr double same = 1e-9;
  const auto& ends = force.at("pins").points;
  const auto is_hinge = [](const JointInfo& info) {
    return info.axes_lie == AxesLie::in_line && !info.keeps_orientation;
  };
  for (const KeptAxes& axes : kept_axes(instance, is_hinge, ends[0].body, ends[1].body))
    if (norm(axes.second - axes.first).value() < same) return axes.first;
  return std::nullopt;
}

bool counts_turns(const Instance& instance, const Element& force) {
  return force.has("torsion") && hinge_axis(instance, force).has_value();
}

// About the axis of a hinge, but for whole turns.
Real angle_on_hinge(const ElementScene& force, const Vec3n& axis) {
  return relative_angle(force.frame("pins", 0), axis, force.frame("pins", 1), axis);
}

// Half the angle between two frames, from 0 to pi: beyond pi/2 they have passed half a turn, or begun there. At
// parallel frames |e| has no slope, though its square has: far below the rounding of theta the root is kept from zero.
Real half_angle(const Frame& from, const Frame& to, bool nearer_half) {
  constexpr double below_rounding = 1e-32;
  const auto& [a, b, c, d] = from.p;
  const auto& [w, x, y, z] = to.p;
  const Vector3 e{a * x - b * w - c * z + d * y, a * y + b * z - c * w - d * x, a * z - b * y + c * x - d * w};
  const Real along = a * w + b * x + c * y + d * z;
  return atan2(sqrt(dot(e, e) + below_rounding), nearer_half ? abs(along) : along);
}

Real turn_squared(const ElementScene& force) {
  if (const auto axis = hinge_axis(force.scene().instance(), force.element())) {
    const Real angle = force.counted(angle_on_hinge(force, *axis));
    return angle * angle;
  }
  const Real half = half_angle(force.frame("pins", 0), force.frame("pins", 1), true);
  return 4.0 * half * half;
}

Real turn_of_bushing(const ElementScene& force) {
  if (force.number("torsion").sign() == 0) return {0.0};
  if (const auto axis = hinge_axis(force.scene().instance(), force.element()))
    return force.turned_from_centre(angle_on_hinge(force, *axis));
  return 2.0 * half_angle(force.frame("pins", 0), force.frame("pins", 1), false);
}

void apply_in_space(const ElementScene& force, ForceSink& sink) {
  if (force.number("angle").sign() != 0)
    refuse_at(force.element().at("angle").place,
              "a bushing in space is at rest with parallel frames and has no \"angle\"; leave it out, or use a "
              "torsion-spring about an axis");
  const Frame& first = force.frame("pins", 0);
  const Frame& second = force.frame("pins", 1);
  if (force.number("torsion").sign() != 0) sink.add_potential(0.5 * force.number("torsion") * turn_squared(force));
  if (force.number("torsion-damping").sign() == 0) return;
  const Scene& scene = force.scene();
  const Vector3 torque =
      force.number("torsion-damping") * (scene.angular_velocity(first.index) - scene.angular_velocity(second.index));
  sink.add_torque(scene, second.index, torque, true);
  sink.add_torque(scene, first.index, Real(-1.0) * torque, true);
}

void apply_bushing(const ElementScene& force, ForceSink& sink) {
  const Vector3 offset = force.point("pins", 1) - force.point("pins", 0);
  sink.add_potential(0.5 * force.number("stiffness") * dot(offset, offset));
  if (force.number("damping").sign() != 0) {
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
  if (force.number("torsion-damping").sign() != 0)
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
  info.apply = apply_bushing;
  info.counts_turns = counts_turns;
  info.turn = turn_of_bushing;
  return info;
}

}  // namespace raak

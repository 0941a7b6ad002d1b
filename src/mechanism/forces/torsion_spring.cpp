// Torsion spring and damper between two bodies: V = k (angle - angle0)^2 / 2, torque -d angle'. In space the angle is
// that of the second body about an axis of the first; at the start it is read within half a turn of where the spring is
// at rest, and counts turns from there on. Axes that no joint keeps in one line may tilt: then it is the twist of the
// rotation between them, what is left of it after the shortest turn that brings axis to axis (Dobrowolski, Swing-twist
// decomposition in Clifford algebra, 2015), which does not depend on the directions across the axes but for a constant:
// with u, v, n of each body and n1 tilted against n2,
//   angle = atan2(v1.u2 - u1.v2, u1.u2 + v1.v2),  angle' = (omega2 - omega1).(n1 + n2) / (1 + n1.n2).
// Only where the axes are opposite is there no shortest turn: a run ends there.
#include <fmt/format.h>

#include "mechanism/forces/catalogue.h"
#include "mechanism/forces/kept_axes.h"
#include "mechanism/joints/axes.h"

namespace raak {
namespace {

void check_keys(const ElementScene& force) {
  const Element& element = force.element();
  const char* const key = force.planar() ? "bodies" : "axes";
  if (!force.has(key))
    refuse_at(element.place, fmt::format("torsion spring \"{}\" has no \"{}\"; {}", element.name, key,
                                         force.planar() ? "name the two bodies, as bodies = [\"ground\", \"arm\"]"
                                                        : "name the axis it twists about in both bodies, as axes = "
                                                          "[\"ground.z\", \"arm.z\"]"));
  if (force.planar() && force.has("axes"))
    refuse_at(element.at("axes").place, "a torsion spring in the plane has no \"axes\"; name its \"bodies\" only");
  if (force.planar() || !force.has("bodies")) return;
  for (std::size_t i = 0; i < 2; ++i)
    if (element.at("axes").axes[i].body != element.at("bodies").bodies[i])
      refuse_at(element.at("bodies").place,
                fmt::format("\"bodies\" and \"axes\" of torsion spring \"{}\" name different bodies; in space \"axes\" "
                            "is enough",
                            element.name));
}

bool may_tilt(const ElementScene& force) {
  constexpr double same = 1e-9;
  const auto& axes = force.element().at("axes").axes;
  const auto is_parallel = [&](const Vec3n& kept, std::size_t i) {
    return norm(cross(kept, force.body_axis("axes", i))).value() < same;
  };
  const auto keeps_parallel = [](const JointInfo& info) { return info.keeps_axes_parallel(); };
  for (const KeptAxes& kept : kept_axes(force.scene().instance(), keeps_parallel, axes[0].body, axes[1].body))
    if (is_parallel(kept.first, 0) && is_parallel(kept.second, 1)) return false;
  return true;
}

// But for whole turns.
Real angle_in_space(const ElementScene& force) {
  if (!may_tilt(force)) return relative_angle(force, "axes");
  const auto [u1, v1] = across(force, "axes", 0);
  const auto [u2, v2] = across(force, "axes", 1);
  return atan2(dot(v1, u2) - dot(u1, v2), dot(u1, u2) + dot(v1, v2));
}

Real turn_of_torsion_spring(const ElementScene& force) {
  return force.has("axes") ? force.turned_from_centre(angle_in_space(force)) : Real(0.0);
}

Vector3 tilt(const ElementScene& force) {
  if (!force.has("axes") || !may_tilt(force)) return {};
  const auto [u, v] = across(force, "axes", 0);
  const Vector3 axis = force.axis("axes", 1);
  return {dot(u, axis), dot(v, axis), dot(force.axis("axes", 0), axis)};
}

void apply_torsion_spring(const ElementScene& force, ForceSink& sink) {
  check_keys(force);
  const Number rest = force.number("angle");
  const Real angle = force.planar() ? force.frame("bodies", 1).angle - force.frame("bodies", 0).angle
                                    : force.counted(angle_in_space(force));
  const Real twist = angle - rest;
  sink.add_potential(0.5 * force.number("stiffness") * twist * twist);
  if (force.number("damping").sign() != 0)
    sink.add_damping(twist, -force.number("damping") * force.scene().rate(twist));
}

}  // namespace

ForceInfo torsion_spring_force() {
  ForceInfo info;
  info.name = "torsion-spring";
  info.summary = "torsion spring and damper between two bodies";
  info.example = R"(t = { type = "torsion-spring", bodies = ["ground", "arm"], stiffness = 2.0, angle = 0.1 })";
  info.arguments = {{"bodies", ArgumentKind::bodies, "planar: the two bodies", 2, 2, true},
                    {"axes", ArgumentKind::axes, "in space: the axis in each body", 2, 2, true},
                    {"stiffness", ArgumentKind::number, "N m/rad", 1, 1, true, "0"},
                    {"angle", ArgumentKind::number, "of the second in the first at rest, rad", 1, 1, true, "0"},
                    {"damping", ArgumentKind::number, "N m s/rad", 1, 1, true, "0"}};
  info.apply = apply_torsion_spring;
  info.counts_turns = [](const Instance& /*instance*/, const Element& force) { return force.has("axes"); };
  info.turn = turn_of_torsion_spring;
  info.tilt = tilt;
  return info;
}

}  // namespace raak

// Torsion spring and damper between two bodies: V = k (angle - angle0)^2 / 2, torque -d angle'. In space the angle is
// that of the second body about an axis of the first; at the start it is read within half a turn of where the spring is
// at rest, and counts turns from there on.
#include <fmt/format.h>

#include "mechanism/forces/catalogue.h"
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

void apply(const ElementScene& force, ForceSink& sink) {
  check_keys(force);
  const Number rest = force.number("angle");
  const Real angle = force.planar() ? force.frame("bodies", 1).angle - force.frame("bodies", 0).angle
                                    : force.counted(relative_angle(force, "axes"));
  const Real twist = angle - rest;
  sink.add_potential(0.5 * force.number("stiffness") * twist * twist);
  if (force.number("damping").value() != 0.0)
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
  info.apply = apply;
  info.counts_turns = [](const Instance& /*instance*/, const Element& force) { return force.has("axes"); };
  info.turn = [](const ElementScene& force) {
    return force.has("axes") ? force.turned_from_centre(relative_angle(force, "axes")) : Real(0.0);
  };
  return info;
}

}  // namespace raak

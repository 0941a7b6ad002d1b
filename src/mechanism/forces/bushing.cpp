// Bushing: springs and dampers that hold two points together (and, in the plane, two bodies parallel).
#include <fmt/format.h>

#include "mechanism/forces/catalogue.h"

namespace raak {
namespace {

void apply(const ElementScene& force, ForceSink& sink) {
  const Vector3 offset = force.point("pins", 1) - force.point("pins", 0);
  sink.add_potential(0.5 * force.number("stiffness") * dot(offset, offset));
  if (force.number("damping").value() != 0.0) {
    const Vector3 rate = force.scene().rate(offset);
    for (int i = 0; i < 3; ++i) sink.add_damping(offset[i], -force.number("damping") * rate[i]);
  }
  if (!force.planar()) {
    for (const char* key : {"torsion", "torsion-damping", "angle"})
      if (force.number(key).value() != 0.0)
        refuse_at(force.element().at(key).place, fmt::format("a bushing in space has no \"{}\"; leave it out", key));
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
  info.summary = "rubber bearing: springs and dampers that hold two points together";
  info.example = R"(b = { type = "bushing", pins = ["frame.P", "arm.P"], stiffness = 1e6, damping = 100.0 })";
  info.arguments = {
      {"pins", ArgumentKind::points, "the points held together", 2, 2},
      {"stiffness", ArgumentKind::number, "N/m", 1, 1, true, "0"},
      {"damping", ArgumentKind::number, "N s/m", 1, 1, true, "0"},
      {"torsion", ArgumentKind::number, "planar: N m/rad", 1, 1, true, "0"},
      {"torsion-damping", ArgumentKind::number, "planar: N m s/rad", 1, 1, true, "0"},
      {"angle", ArgumentKind::number, "planar: of the second body in the first at rest, rad", 1, 1, true, "0"}};
  info.apply = apply;
  return info;
}

}  // namespace raak

// Torsion spring and damper between two bodies in the plane: V = k (angle - angle0)^2 / 2, torque -d angle'.
#include "mechanism/forces/catalogue.h"

namespace raak {
namespace {

void apply(const ElementScene& force, ForceSink& sink) {
  const Real angle = force.frame("bodies", 1).angle - force.frame("bodies", 0).angle;
  const Real twist = angle - force.number("angle");
  sink.add_potential(0.5 * force.number("stiffness") * twist * twist);
  if (force.number("damping").value() != 0.0)
    sink.add_damping(angle, -force.number("damping") * force.scene().rate(angle));
}

}  // namespace

ForceInfo torsion_spring_force() {
  ForceInfo info;
  info.name = "torsion-spring";
  info.summary = "torsion spring and damper between two bodies";
  info.example = R"(t = { type = "torsion-spring", bodies = ["ground", "arm"], stiffness = 2.0, angle = 0.1 })";
  info.spatial = false;
  info.arguments = {{"bodies", ArgumentKind::bodies, "the two bodies", 2, 2},
                    {"stiffness", ArgumentKind::number, "N m/rad", 1, 1, true, "0"},
                    {"angle", ArgumentKind::number, "of the second in the first at rest, rad", 1, 1, true, "0"},
                    {"damping", ArgumentKind::number, "N m s/rad", 1, 1, true, "0"}};
  info.apply = apply;
  return info;
}

}  // namespace raak

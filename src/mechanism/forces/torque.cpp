// A torque on a body, in ground axes or in its own; in the plane one number.
#include "mechanism/forces/catalogue.h"

namespace raak {
namespace {

void apply_torque(const ElementScene& force, ForceSink& sink) {
  Vector3 value;
  const std::size_t count = force.count("value");
  for (std::size_t i = 0; i < count; ++i)
    value[force.planar() ? 2 : static_cast<int>(i)] = force.formula("value", Scene::Level::velocities, i);
  const int body = force.element().at("on").bodies.front();
  if (!force.planar() && force.word("axes", "ground") == "body") value = force.frame("on", 0).R * value;
  sink.add_torque(force.scene(), body, value);
  if (force.has("from")) sink.add_torque(force.scene(), force.element().at("from").bodies.front(), Real(-1.0) * value);
}

}  // namespace

ForceInfo torque_force() {
  ForceInfo info;
  info.name = "torque";
  info.summary = "torque on a body";
  info.example = R"(motor = { type = "torque", on = "crank", value = "tau" })";
  info.arguments = {{"on", ArgumentKind::bodies, "the body it acts on", 1, 1},
                    {"value", ArgumentKind::torque, "N m; in space three components"},
                    {"from", ArgumentKind::bodies, "the body that feels the reaction; none: the ground", 1, 1, true},
                    {"axes", ArgumentKind::word, "in which axes", 1, 1, true, "ground", {"ground", "body"}}};
  info.apply = apply_torque;
  return info;
}

}  // namespace raak

// A force or torque along the freedom of a joint, by a formula.
#include "mechanism/forces/catalogue.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

void apply_actuator(const ElementScene& force, ForceSink& sink) {
  const Argument& asked = force.element().at("joint");
  const Element* const joint = force.scene().instance().find_joint(asked.word);
  if (joint == nullptr) return;  // refused when the file was read
  const JointInfo& info = info_of_joint(*joint);
  if (info.coordinate == nullptr)
    refuse_at(asked.place, "a joint of type \"" + joint->type + "\" has nothing to actuate");
  sink.add_along(info.coordinate(ElementScene(force.scene(), *joint)),
                 force.formula("value", Scene::Level::velocities));
}

}  // namespace

ForceInfo actuator_force() {
  ForceInfo info;
  info.name = "actuator";
  info.summary = "force or torque along the freedom of a joint";
  info.example = R"x(drive = { type = "actuator", joint = "rail", value = "10*sin(t)" })x";
  info.arguments = {{"joint", ArgumentKind::word, "the name of the joint; a screw or cylindrical one along its way"},
                    {"value", ArgumentKind::formula, "N or N m on the second body, minus that on the first"}};
  info.apply = apply_actuator;
  return info;
}

}  // namespace raak

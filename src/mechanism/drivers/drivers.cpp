#include "mechanism/drivers/drivers.h"

#include "mechanism/formulas/output_units.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

Real driven(const ElementScene& driver) {
  if (driver.has("coordinate")) return driver.formula("coordinate", Scene::Level::positions);
  if (driver.has("distance")) return norm(driver.point("distance", 1) - driver.point("distance", 0));
  const Argument& asked = driver.element().at("displacement");
  if (const Element* const joint = driver.scene().instance().find_joint(asked.word)) {
    const JointInfo& info = info_of_joint(*joint);
    if (info.coordinate != nullptr) return info.coordinate(ElementScene(driver.scene(), *joint));
    refuse_at(asked.place, "a joint of type \"" + joint->type + "\" has no displacement to drive");
  }
  refuse_at(asked.place, "there is no joint \"" + asked.word + "\"");
}

}  // namespace

const ElementInfo& driver_info() {
  static const ElementInfo info{
      "driver",
      "prescribes a coordinate, a distance or the displacement of a joint as a formula of time",
      R"(crank = { coordinate = "OF.angle", motion = "Omega*t" })",
      true,
      true,
      {{"coordinate", ArgumentKind::formula, "a coordinate, or any formula of the configuration", 1, 1, true},
       {"distance", ArgumentKind::points, "two points", 2, 2, true},
       {"displacement", ArgumentKind::word, "the name of a joint", 1, 1, true},
       {"motion", ArgumentKind::formula, "its value as a formula of t, m or rad"}}};
  return info;
}

std::string unit_of_driver(const Instance& instance, const Element& driver) {
  if (driver.has("distance")) return "m";
  if (driver.has("displacement")) {
    const Element* const joint = instance.find_joint(driver.at("displacement").word);
    return joint != nullptr ? info_of_joint(*joint).coordinate_unit : "m";
  }
  if (!driver.has("coordinate") || driver.at("coordinate").numbers.empty()) return "";
  return unit_of(driver.at("coordinate").numbers.front().value);
}

Real driver_row(const ElementScene& driver) {
  const Real off = driven(driver) - driver.formula("motion", Scene::Level::time);
  // In space the angle of a hinge is known but for whole turns.
  const bool is_hinge = !driver.planar() && driver.has("displacement") &&
                        unit_of_driver(driver.scene().instance(), driver.element()) == "rad";
  return is_hinge ? atan2(sin(off), cos(off)) : off;
}

}  // namespace raak

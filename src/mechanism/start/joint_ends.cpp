#include "mechanism/start/joint_ends.h"

#include <algorithm>
#include <cmath>

#include "mechanism/drivers/drivers.h"

namespace raak {
namespace {

JointGraph::Pin pin_of(const Instance& instance, const PointRef& point) {
  const auto& body = instance.bodies()[static_cast<std::size_t>(point.body)];
  const Vec3d at = now(body.points.at(point.point));
  return {body.name, {at.x, at.y, at.z}};
}

std::vector<JointGraph::Pin> pins_of(const Instance& instance, const Element& element, const char* key) {
  std::vector<JointGraph::Pin> pins;
  if (!element.has(key)) return pins;
  for (const PointRef& point : element.at(key).points) pins.push_back(pin_of(instance, point));
  return pins;
}

JointGraph::Joint ends_of(const Instance& instance, const Element& joint) {
  JointGraph::Joint ends;
  ends.name = joint.name;
  const auto add = [&](int body) {
    const std::string& name = instance.bodies()[static_cast<std::size_t>(body)].name;
    if (std::find(ends.bodies.begin(), ends.bodies.end(), name) == ends.bodies.end()) ends.bodies.push_back(name);
  };
  ends.pins = pins_of(instance, joint, "between");
  if (const auto meeting = pins_of(instance, joint, "pins"); !meeting.empty()) ends.pins.push_back(meeting.front());
  for (const auto& [key, argument] : joint.arguments) {
    for (const PointRef& point : argument.points) add(point.body);
    for (const AxisRef& axis : argument.axes) add(axis.body);
    for (const int body : argument.bodies) add(body);
  }
  return ends;
}

}  // namespace

std::vector<JointGraph::Joint> joints_of(const Instance& instance) {
  std::vector<JointGraph::Joint> joints;
  for (const Element& joint : instance.mechanism().joints) joints.push_back(ends_of(instance, joint));
  return joints;
}

std::vector<JointGraph::Driver> drivers_of(const Instance& instance) {
  std::vector<JointGraph::Driver> drivers;
  for (const Element& driver : instance.mechanism().drivers) {
    if (!driver.has("motion") || driver.at("motion").numbers.empty()) continue;
    const Expression motion = driver.at("motion").numbers.front().value;
    const auto value = [&instance, motion](double t) {
      return motion.evaluate<double>([&](const Expression::Name& name) {
        return name.text == "t" ? t : instance.constant(name.text).value_or(Live(std::nan(""))).now();
      });
    };
    drivers.push_back({driver.name, unit_of_driver(instance, driver), value, pins_of(instance, driver, "distance")});
  }
  return drivers;
}

}  // namespace raak

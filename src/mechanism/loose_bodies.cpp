#include "mechanism/loose_bodies.h"

#include <fmt/format.h>

namespace raak {

std::vector<std::string> notes_on_loose_bodies(const Instance& instance) {
  const Mechanism& mechanism = instance.mechanism();
  // An equation may speak of any body, and without joints nothing else was meant.
  if (!mechanism.constraints.empty() || mechanism.joints.empty()) return {};
  std::vector<char> held(instance.bodies().size(), 0);
  for (const std::vector<Element>* elements : {&mechanism.joints, &mechanism.drivers}) {
    for (const Element& element : *elements) {
      for (const auto& [key, argument] : element.arguments) {
        for (const PointRef& point : argument.points) held[static_cast<std::size_t>(point.body)] = 1;
        for (const AxisRef& axis : argument.axes) held[static_cast<std::size_t>(axis.body)] = 1;
        for (const int body : argument.bodies) held[static_cast<std::size_t>(body)] = 1;
      }
    }
  }
  std::vector<std::string> notes;
  for (std::size_t i = 1; i < held.size(); ++i)
    if (!held[i]) notes.push_back(fmt::format("no joint holds \"{}\": it flies", instance.bodies()[i].name));
  return notes;
}

}  // namespace raak

#include "mechanism/bodies/free_bodies.h"

#include <fmt/format.h>

#include "base/text/some_of.h"

namespace raak {

std::vector<std::string> notes_on_free_bodies(const Instance& instance) {
  const Mechanism& mechanism = instance.mechanism();
  std::vector<char> held(static_cast<std::size_t>(instance.bodies_of_file()), 0);
  const auto hold_named = [&](const Expression& formula) {
    for (const Expression::Name& name : formula.names())
      if (const int body = instance.find_body(name.text.substr(0, name.text.find('.'))); body >= 0)
        held[static_cast<std::size_t>(body)] = 1;
  };
  for (const NamedQuantity& equation : mechanism.constraints) hold_named(equation.value.value);
  // A spring holds too, but not a force that acts from nowhere.
  for (const std::vector<Element>* elements : {&mechanism.joints, &mechanism.drivers, &mechanism.forces}) {
    for (const Element& element : *elements) {
      for (const auto& [key, argument] : element.arguments) {
        const bool ties = argument.points.size() + argument.axes.size() + argument.bodies.size() > 1;
        if (elements == &mechanism.forces && !ties) continue;
        for (const PointRef& point : argument.points) held[static_cast<std::size_t>(point.body)] = 1;
        for (const AxisRef& axis : argument.axes) held[static_cast<std::size_t>(axis.body)] = 1;
        for (const int body : argument.bodies) held[static_cast<std::size_t>(body)] = 1;
        for (const Quantity& formula : argument.numbers) hold_named(formula.value);
      }
    }
  }
  constexpr std::size_t most_names = 4;
  std::vector<std::string> free;
  for (std::size_t i = 1; i < held.size(); ++i)
    if (!held[i]) free.push_back(fmt::format("\"{}\"", instance.bodies()[i].name));
  if (free.empty()) return {};
  return {some_of(free, most_names) +
          (free.size() == 1 ? " has no joints: it is a free body" : " have no joints: they are free bodies")};
}

}  // namespace raak

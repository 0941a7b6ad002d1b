#include "mechanism/drawing/traced_points.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "mechanism/bodies/catalogue.h"

namespace raak {
namespace {

constexpr std::size_t most_paths = 12;  // more paths hide what they belong to

struct Component {
  PointRef point;
  char axis;
};

// "coupler.P.x", "cart.x", in space also "rod.position.x"; nothing where it is no coordinate of a moving point.
std::optional<Component> component_of(const std::string& name, const Instance& instance) {
  const std::size_t last = name.rfind('.'), first = name.find('.');
  if (last == std::string::npos || last + 2 != name.size() || name[last + 1] < 'x' || name[last + 1] > 'z')
    return std::nullopt;
  const auto body = std::find_if(instance.bodies().begin(), instance.bodies().end(),
                                 [&](const Body& b) { return b.name == name.substr(0, first); });
  if (body == instance.bodies().end() || body->kind->turning == 0) return std::nullopt;
  std::string point = first == last ? "" : name.substr(first + 1, last - first - 1);
  if (point == "position" && !instance.planar()) point.clear();
  if (!point.empty() && !body->points.contains(point)) return std::nullopt;
  return Component{{static_cast<int>(body - instance.bodies().begin()), point}, name[last + 1]};
}

}  // namespace

TracedPoints traced_points(const Instance& instance) {
  TracedPoints traced;
  std::map<std::pair<int, std::string>, std::set<char>> axes;
  for (const NamedQuantity& output : instance.mechanism().outputs) {
    const auto& names = output.value.value.names();
    const auto found = names.size() == 1 ? component_of(names.front().text, instance) : std::nullopt;
    if (!found) continue;
    std::set<char>& of_point = axes[{found->point.body, found->point.point}];
    const bool added = of_point.insert(found->axis).second;
    if (added && of_point.size() == 2 && traced.shown.size() < most_paths) traced.shown.push_back(found->point);
  }
  std::set<std::pair<int, std::string>> held;
  for (const Element& joint : instance.mechanism().joints)
    for (const auto& [key, argument] : joint.arguments)
      for (const PointRef& ref : argument.points) held.emplace(ref.body, ref.point);
  for (std::size_t b = 0; b < instance.bodies().size(); ++b) {
    const Body& body = instance.bodies()[b];
    if (body.kind->turning == 0) continue;
    for (const auto& [name, local] : body.points)
      if (!held.contains({static_cast<int>(b), name}) && traced.free.size() < most_paths)
        traced.free.push_back({static_cast<int>(b), name});
  }
  return traced;
}

}  // namespace raak

#include "mechanism/start/spring_ends.h"

#include <fmt/format.h>

#include <map>
#include <tuple>
#include <vector>

#include "mechanism/forces/catalogue.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

// Points that are one: the same place on a body, by whatever name, and the pins of joints that keep points together.
class OnePoints {
 public:
  explicit OnePoints(const Instance& instance) : instance_(instance) {
    for (const Element& joint : instance.mechanism().joints) {
      if (!info_of_joint(joint).keeps_points_together) continue;
      const auto& pins = joint.at("pins").points;
      for (std::size_t i = 1; i < pins.size(); ++i) group_of_[root(index_of(pins[i]))] = root(index_of(pins[0]));
    }
  }
  bool are_one(const PointRef& a, const PointRef& b) { return root(index_of(a)) == root(index_of(b)); }

 private:
  std::size_t index_of(const PointRef& ref) {
    const Vec3d at = now(instance_.bodies()[static_cast<std::size_t>(ref.body)].points.at(ref.point));
    const auto [entry, is_new] = index_.try_emplace({ref.body, at.x, at.y, at.z}, group_of_.size());
    if (is_new) group_of_.push_back(entry->second);
    return entry->second;
  }
  std::size_t root(std::size_t i) const {
    while (group_of_[i] != i) i = group_of_[i];
    return i;
  }

  const Instance& instance_;
  std::map<std::tuple<int, double, double, double>, std::size_t> index_;
  std::vector<std::size_t> group_of_;
};

}  // namespace

void require_springs_with_direction(const Instance& instance) {
  OnePoints points(instance);
  for (const Element& force : instance.mechanism().forces) {
    const ForceInfo& info = info_of_force(force);
    if (info.needs_direction == nullptr) continue;
    const auto instead = info.needs_direction(instance, force);
    const Argument& ends = force.at("between");
    if (!instead || !points.are_one(ends.points[0], ends.points[1])) continue;
    refuse_at(ends.place, fmt::format("a joint keeps the ends of \"{}\" together, so that its force has no direction: "
                                      "expected other points, or {}",
                                      force.name, *instead));
  }
}

}  // namespace raak

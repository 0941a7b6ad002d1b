#include "mechanism/start/start_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/text.h"
#include "mechanism/bodies/catalogue.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

// Whether a joint turns the body about this axis of its own and of the ground, and about no other.
bool turns_about(const Instance& instance, int body, int component) {
  const auto along = [&](const AxisRef& ref) {
    const Vec3d axis = now(instance.bodies()[static_cast<std::size_t>(ref.body)].axes.at(ref.axis));
    return std::abs(std::abs(axis[component]) - 1.0) < 1e-12;
  };
  const auto& joints = instance.mechanism().joints;
  return std::any_of(joints.begin(), joints.end(), [&](const Element& joint) {
    if (!joint.has("axes") || !info_of_joint(joint).turns_about_axes()) return false;
    const auto& axes = joint.at("axes").axes;
    const auto of = [&](int wanted) {
      return std::any_of(axes.begin(), axes.end(), [&](const AxisRef& r) { return r.body == wanted && along(r); });
    };
    return of(0) && of(body);
  });
}

}  // namespace

StartName read_start_entry(const Instance& instance, const StartEntry& entry) {
  const std::size_t dot_at = entry.name.find('.');
  const std::string body = entry.name.substr(0, dot_at);
  const int index = instance.find_body(body);
  if (index < 1) {
    std::vector<std::string> names;
    for (const Body& b : instance.bodies())
      if (!b.ground && !b.counter) names.push_back(b.name);
    refuse_at(entry.place, unknown_name("body", body, names));
  }
  std::string what = dot_at == std::string::npos ? "" : entry.name.substr(dot_at + 1);
  const BodyKind& kind = *instance.bodies()[static_cast<std::size_t>(index)].kind;
  const std::vector<std::string>& known = kind.start_names;
  int component = -1;
  if (!instance.planar() && what.size() > 2 && what[what.size() - 2] == '.' && what.back() >= 'x' &&
      what.back() <= 'z' && !what.starts_with("quaternion")) {
    component = what.back() - 'x';
    what.resize(what.size() - 2);
  }
  if (what == "angle" && kind.turning == 3)
    refuse_at(entry.place,
              fmt::format("in space \"{}\" has no angle; give \"{}.rotation\" = [x, y, z], the axis times the "
                          "angle in rad",
                          body, body));
  if (std::find(known.begin(), known.end(), what) == known.end())
    refuse_at(entry.place, unknown_name(fmt::format("coordinate of \"{}\"", body), what, known));
  const std::size_t expected = instance.planar() || component >= 0 ? 1 : what == "quaternion" ? 4 : 3;
  if (entry.values.size() != expected)
    refuse_at(entry.place, fmt::format("\"{}\" expects {} number{}, found {}", entry.name, expected,
                                       expected == 1 ? "" : "s", entry.values.size()));
  if (expected == 1 && entry.is_list)
    refuse_at(entry.place,
              fmt::format("\"{}\" expects a number, found a list of one; leave the brackets out", entry.name));
  if (entry.trusted && component >= 0 && what == "rotation" && !turns_about(instance, index, component))
    refuse_at(entry.place,
              fmt::format("one component of a rotation can be trusted where a revolute, cylindrical, screw or planar "
                          "joint to the ground turns the body about that axis only. Trust all of it, \"{}.rotation\" = "
                          "[x, y, z], or guess \"{}\"",
                          body, entry.name));
  return {index, what, component};
}

void require_sensible_rotation(const StartEntry& entry, double x, double y, double z) {
  constexpr double largest = 1e6;  // rad: of more turns the last one has lost its digits
  const double angle = std::hypot(x, y, z);
  if (!(angle <= largest))
    refuse_at(entry.place, fmt::format("a rotation by at most {:g} rad is expected, found {:.6g}", largest, angle));
}

void require_unit_length(const StartEntry& entry, std::array<double, 4>& quaternion) {
  double square = 0.0;
  for (const double part : quaternion) square += part * part;
  const double length = std::sqrt(square);
  if (!(std::abs(length - 1.0) <= 1e-6))
    refuse_at(entry.place, fmt::format("a quaternion of unit length is expected, found one of length {:.9g}", length));
  for (double& part : quaternion) part /= length;
}

}  // namespace raak

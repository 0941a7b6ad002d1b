#include "modelfile/body_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/text.h"
#include "base/text/visible_text.h"
#include "mechanism/bodies/catalogue.h"

namespace raak {

BodyNames::BodyNames(const std::vector<BodySpec>& bodies) : bodies_(bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) of_name_.emplace(bodies[i].name, static_cast<int>(i));
  for (const auto& [point, where] : bodies.front().points) points_of_ground_.insert(point);
}

std::vector<std::string> BodyNames::names() const {
  std::vector<std::string> names;
  for (const BodySpec& body : bodies_) names.push_back(body.name);
  return names;
}
int BodyNames::find_body(const std::string& name) const {
  const auto found = of_name_.find(name);
  return found == of_name_.end() ? -1 : found->second;
}
int BodyNames::body_at(const std::string& name, const Place& place) const {
  const int body = find_body(name);
  if (body < 0) refuse_at(place, unknown_name("body", name, names()));
  return body;
}
std::pair<int, std::string> BodyNames::member_of_body(const std::string& text, const Place& place,
                                                      const char* what) const {
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos) {
    const int body = find_body(text);
    if (body > 0 && bodies_[static_cast<std::size_t>(body)].kind->point) return {body, text};
    refuse_at(place, fmt::format("expected BODY.{}, found \"{}\"", what, text));
  }
  return {body_at(text.substr(0, dot), place), text.substr(dot + 1)};
}
PointRef BodyNames::point_at(const std::string& text, const Place& place) const {
  const auto [body, name] = member_of_body(text, place, "POINT");
  const BodySpec& spec = bodies_[static_cast<std::size_t>(body)];
  if ((spec.kind->point && name == spec.name) || has_point(body, name)) return {body, name};
  std::vector<std::string> names;
  if (spec.kind->point) names.push_back(spec.name);
  for (const auto& [point, where] : spec.points) names.push_back(point);
  refuse_at(place, names.empty() ? fmt::format("\"{0}\" has no points; give it one: points = {{ {1} = [..] }}",
                                               spec.name, cut_short(name))
                                 : unknown_name("point of \"" + spec.name + "\"", name, names));
}
// The ground may have as many points as there are bodies.
bool BodyNames::has_point(int body, const std::string& name) const {
  const auto& points = bodies_[static_cast<std::size_t>(body)].points;
  if (body > 0) return std::any_of(points.begin(), points.end(), [&](const auto& p) { return p.first == name; });
  return points_of_ground_.contains(name);
}
AxisRef BodyNames::axis_at(const std::string& text, const Place& place, bool planar) const {
  const auto [body, name] = member_of_body(text, place, "AXIS");
  std::vector<std::string> names{"x", "y"};
  if (!planar) names.emplace_back("z");
  for (const auto& [axis, where] : bodies_[static_cast<std::size_t>(body)].axes) names.push_back(axis);
  if (std::find(names.begin(), names.end(), name) == names.end())
    refuse_at(place, unknown_name("axis of \"" + bodies_[static_cast<std::size_t>(body)].name + "\"", name, names));
  return {body, name};
}

}  // namespace raak

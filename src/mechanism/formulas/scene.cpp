#include "mechanism/formulas/scene.h"

#include <fmt/format.h>

#include "base/tape/derivative.h"
#include "base/text/text.h"
#include "mechanism/bodies/catalogue.h"
#include "mechanism/drivers/drivers.h"

namespace raak {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  for (std::size_t dot = text.find('.'); dot != std::string::npos; dot = text.find('.', begin)) {
    words.push_back(text.substr(begin, dot - begin));
    begin = dot + 1;
  }
  words.push_back(text.substr(begin));
  return words;
}

std::optional<int> component(const std::string& name) {
  if (name.size() != 1 || name[0] < 'x' || name[0] > 'z') return std::nullopt;
  return name[0] - 'x';
}

// vx of a body or point, omega, velocity.x, omega.x.
bool is_rate(const std::vector<std::string>& words) {
  const std::string& last = words.back();
  return last == "omega" || words[1] == "omega" || words[1] == "velocity" ||
         (last.size() == 2 && last[0] == 'v' && component(last.substr(1)));
}

}  // namespace

Frame Scene::frame_of(int index, const Real* q, const Real* v) const {
  const Body& body = instance_.bodies()[static_cast<std::size_t>(index)];
  Frame frame{{}, Rotation<Real>::identity(), Real(0.0), {Real(1.0), Real(0.0), Real(0.0), Real(0.0)}, &body, index, q,
              v};
  if (body.ground) return frame;
  frame.at = {q[0], q[1], planar() ? Real(0.0) : q[2]};
  body.kind->orient(frame);
  return frame;
}

Scene::Scene(const Instance& instance, const RecordedState& state) : instance_(instance), t_(state.t), state_(&state) {
  for (int i = 0; i < static_cast<int>(instance.bodies().size()); ++i) {
    const int first = instance.bodies()[static_cast<std::size_t>(i)].first;
    frames_.push_back(frame_of(i, state.q.data() + first, state.v.empty() ? nullptr : state.v.data() + first));
  }
}

Scene::Scene(const Instance& instance, const Real& t, std::function<BodyVariables(int body)> meet)
    : instance_(instance), t_(t), meet_(std::move(meet)) {
  frames_.push_back(frame_of(0, nullptr, nullptr));
}

const Frame& Scene::met_frame(int body) const {
  for (const Frame& frame : frames_)
    if (frame.index == body) return frame;
  const BodyVariables& newcomer = met_.emplace_back(meet_(body));
  return frames_.emplace_back(frame_of(body, newcomer.q.data(), newcomer.v.data()));
}

Vector3 Scene::point(const PointRef& ref) const {
  const Frame& f = frame(ref.body);
  return f.point(f.body->points.at(ref.point));
}

Vector3 Scene::axis(const AxisRef& ref) const {
  const Frame& f = frame(ref.body);
  return f.direction(f.body->axes.at(ref.axis));
}

Vector3 Scene::angular_velocity(int body) const {
  const Frame& f = frame(body);
  return f.body->kind->angular_velocity(f);
}

Reals Scene::rates(const Reals& values) const {
  Reals variables{t_};
  Reals direction{Real(1.0)};
  const auto add = [&](const Reals& q, const Reals& v) {
    variables.insert(variables.end(), q.begin(), q.end());
    direction.insert(direction.end(), v.begin(), v.end());
  };
  if (state_ != nullptr) add(state_->q, state_->v);
  for (const BodyVariables& body : met_) add(body.q, body.v);
  return derivative_along(values, variables, direction);
}

Vector3 Scene::rate(const Vector3& value) const {
  const Reals r = rates({value.x, value.y, value.z});
  return {r[0], r[1], r[2]};
}

std::optional<Real> Scene::point_quantity(const Vector3& point, const std::string& name, Level level) const {
  if (planar() && name.ends_with('z')) return std::nullopt;
  if (const auto i = component(name)) return point[*i];
  const bool rate_name = name.size() == 2 && name[0] == 'v' && component(name.substr(1));
  if (rate_name && level >= Level::velocities) return rate(point)[*component(name.substr(1))];
  return std::nullopt;
}

std::optional<Real> Scene::body_quantity(const Frame& f, const std::vector<std::string>& words, Level level) const {
  const Body& body = *f.body;
  const int body_index = f.index;
  const Vector3 origin = f.point({});
  const std::string& second = words[1];
  const bool velocities = level >= Level::velocities;
  if (words.size() == 2) {
    if (second == "angle" && body.kind->angle >= 0) return f.angle;
    if (second == "omega" && body.kind->angle >= 0 && velocities) return angular_velocity(body_index).z;
    return point_quantity(origin, second, level);
  }
  if (words.size() != 3) return std::nullopt;
  const std::string& third = words[2];
  if (!planar()) {
    const auto i = component(third);
    if (second == "position" && i) return origin[*i];
    if (second == "velocity" && i && velocities) return rate(origin)[*i];
    if (second == "omega" && i && velocities) return angular_velocity(body_index)[*i];
    if (second == "quaternion" && third == "w") return f.p[0];
    if (second == "quaternion" && i) return f.p[static_cast<std::size_t>(*i) + 1];
    if (body.axes.contains(second) && !body.points.contains(second) && i) return f.direction(body.axes.at(second))[*i];
  }
  const auto point = body.points.find(second);
  if (point == body.points.end()) return std::nullopt;
  return point_quantity(f.point(point->second), third, level);
}

std::vector<std::string> Scene::candidates(const std::string& name, Level level) const {
  std::vector<std::string> all{"pi", "t"};
  for (const NamedQuantity& p : instance_.mechanism().parameters) all.push_back(p.name);
  if (level < Level::positions) return all;
  const std::vector<std::string> words = split(name);
  const auto add_reactions = [&](const std::string& joint) {
    for (const char* end : {".force.x", ".force.y"}) all.push_back(joint + end);
    if (planar()) all.push_back(joint + ".moment");
    else
      for (const char* end : {".force.z", ".moment.x", ".moment.y", ".moment.z"}) all.push_back(joint + end);
  };
  if (level == Level::everything && words.size() > 1 && instance_.find_joint(words[0]) != nullptr) {
    all.clear();
    add_reactions(words[0]);
    if (const Element& joint = *instance_.find_joint(words[0]); joint.has("pins"))
      if (words.size() > 3 || joint.at("pins").points.size() > 2)
        for (const PointRef& pin : joint.at("pins").points)
          add_reactions(words[0] + "." + instance_.bodies()[static_cast<std::size_t>(pin.body)].name);
    return all;
  }
  for (const NamedQuantity& equation : instance_.mechanism().constraints) {
    if (level != Level::everything || words.size() < 2 || equation.name != words[0]) continue;
    all = {equation.name + ".lambda"};
    for (const Body& body : instance_.bodies())
      if (!body.ground && !body.counter) add_reactions(equation.name + "." + body.name);
    return all;
  }
  // Of a name whose first word nobody bears, those that might be meant come before the list of all.
  if (words.size() > 1 && instance_.find_body(words[0]) < 0) {
    std::vector<std::string> owners;
    for (const Body& body : instance_.bodies())
      if (!body.counter) owners.push_back(body.name);
    if (level == Level::everything)
      for (const auto* elements : {&instance_.mechanism().joints, &instance_.mechanism().drivers})
        for (const Element& element : *elements) owners.push_back(element.name);
    if (level == Level::everything)
      for (const NamedQuantity& equation : instance_.mechanism().constraints) owners.push_back(equation.name);
    if (const auto near = nearest_name(words[0], owners); near && *near != words[0])
      return candidates(*near + name.substr(words[0].size()), level);
  }
  for (const Element& driver : instance_.mechanism().drivers) {
    if (level != Level::everything) break;
    const std::string unit = unit_of_driver(instance_, driver);
    if (words.size() > 1 && driver.name == words[0]) all.clear();
    if (unit != "rad") all.push_back(driver.name + ".force");
    if (unit != "m") all.push_back(driver.name + ".moment");
    if (words.size() > 1 && driver.name == words[0]) return all;
  }
  const std::vector<std::string> ends =
      planar() ? std::vector<std::string>{"x", "y"} : std::vector<std::string>{"x", "y", "z"};
  for (const Body& body : instance_.bodies()) {
    if (body.counter) continue;
    if (words.size() > 1 && words[0] == body.name) all.clear();
    if (!body.ground) {
      for (const std::string& end : ends) all.push_back(body.name + "." + end);
      if (body.kind->angle >= 0) all.push_back(body.name + ".angle");
      if (body.kind->angle >= 0 && level >= Level::velocities) all.push_back(body.name + ".omega");
    }
    for (const auto& [point, where] : body.points)
      for (const std::string& end : ends) all.push_back(fmt::format("{}.{}.{}", body.name, point, end));
    for (const auto& [axis, where] : body.axes)
      if (!planar() && axis != "x" && axis != "y" && axis != "z")
        for (const std::string& end : ends) all.push_back(fmt::format("{}.{}.{}", body.name, axis, end));
    if (words.size() > 1 && words[0] == body.name) return all;
  }
  if (level == Level::everything)
    for (const Element& joint : instance_.mechanism().joints) add_reactions(joint.name);
  if (level == Level::everything)
    for (const NamedQuantity& equation : instance_.mechanism().constraints) all.push_back(equation.name + ".lambda");
  return all;
}

Real Scene::lookup(const Expression::Name& name, const Quantity& quantity, Level level,
                   const Reactions& reactions) const {
  if (const auto known = instance_.constant(name.text))
    return name.in_exponent ? Real(known->value()) : known->recorded();
  if (name.text == "t") return t_;
  const std::vector<std::string> words = split(name.text);
  if (level >= Level::positions && words.size() > 1) {
    if (const int body = instance_.find_body(words[0]); body >= 0)
      if (const auto found = body_quantity(frame(body), words, level)) return *found;
    if (reactions)
      if (const auto found = reactions(name.text)) return *found;
  }
  if (!planar() && words.size() == 2 && words[1] == "angle" && instance_.find_body(words[0]) > 0)
    refuse_at(
        place_in(quantity, name.offset),
        fmt::format("in space \"{}\" has no angle. A driver turns a hinge by displacement = \"HINGE\", its revolute "
                    "joint; formulas know {}.quaternion.w and the components of its axes, as {}.x.y",
                    words[0], words[0], words[0]));
  const bool of_body = words.size() > 1 && instance_.find_body(words[0]) >= 0;
  if (of_body && level == Level::time)
    refuse_at(place_in(quantity, name.offset),
              fmt::format("\"{}\" changes with the motion; expected a formula of t and parameters here", name.text));
  if (of_body && level == Level::positions && is_rate(words))
    refuse_at(place_in(quantity, name.offset),
              fmt::format("\"{}\" is a rate; expected a formula of positions, t and parameters here", name.text));
  const char* const kind = level == Level::time ? "parameter" : "quantity";
  refuse_at(place_in(quantity, name.offset), unknown_name(kind, name.text, candidates(name.text, level)));
}

Real Scene::evaluate(const Quantity& quantity, Level level, const Reactions& reactions) const {
  return quantity.value.evaluate<Real>(
      [&](const Expression::Name& name) { return lookup(name, quantity, level, reactions); });
}

}  // namespace raak

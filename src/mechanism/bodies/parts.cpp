#include "mechanism/bodies/parts.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "mechanism/bodies/catalogue.h"

namespace raak {
namespace {

// Bodies with the element that names them; the ground ties nothing.
class Ties {
 public:
  explicit Ties(const Instance& instance) : instance_(instance), root_(instance.bodies().size()) {
    std::iota(root_.begin(), root_.end(), 0);
  }
  int root(int body) {
    while (root_[static_cast<std::size_t>(body)] != body) {
      int& next = root_[static_cast<std::size_t>(body)];
      next = root_[static_cast<std::size_t>(next)];
      body = next;
    }
    return body;
  }
  // The first body of those tied; 0 where there is none but the ground.
  int tie(const std::vector<int>& bodies) {
    int first = 0;
    for (const int body : bodies) {
      if (body <= 0) continue;
      if (first == 0) first = body;
      root_[static_cast<std::size_t>(root(body))] = root(first);
    }
    return first;
  }
  void add_named(const Expression& formula, std::vector<int>& bodies) const {
    for (const Expression::Name& name : formula.names())
      bodies.push_back(instance_.find_body(name.text.substr(0, name.text.find('.'))));
  }
  std::vector<int> bodies_of(const Element& element) const {
    std::vector<int> bodies;
    for (const auto& [key, argument] : element.arguments) {
      for (const PointRef& point : argument.points) bodies.push_back(point.body);
      for (const AxisRef& axis : argument.axes) bodies.push_back(axis.body);
      bodies.insert(bodies.end(), argument.bodies.begin(), argument.bodies.end());
      for (const Quantity& number : argument.numbers) add_named(number.value, bodies);
      if (const Element* const joint = instance_.find_joint(argument.word); joint != nullptr && joint != &element) {
        const std::vector<int> more = bodies_of(*joint);
        bodies.insert(bodies.end(), more.begin(), more.end());
      }
    }
    return bodies;
  }

 private:
  const Instance& instance_;
  std::vector<int> root_;
};

// Places of the bodies' values among all reported ones.
std::vector<std::pair<int, int>> reported_places(const Instance& instance, bool velocities) {
  std::vector<std::pair<int, int>> places;
  int next = 0;
  for (const Body& body : instance.bodies()) {
    const auto& reported = velocities ? body.kind->velocities : body.kind->positions;
    const int count = body.counter ? 0 : static_cast<int>(reported.size());
    places.emplace_back(next, count);
    next += count;
  }
  return places;
}

Vector values_of(const Part& part, const std::vector<std::pair<int, int>>& places, const Vector& all) {
  std::vector<double> values;
  for (const int body : part.bodies) {
    const auto& [first, count] = places[static_cast<std::size_t>(body)];
    values.insert(values.end(), all.begin() + first, all.begin() + first + count);
  }
  return Vector::Map(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

std::vector<Part> independent_parts(const Instance& instance) {
  const Mechanism& mechanism = instance.mechanism();
  Ties ties(instance);
  std::vector<int> of_joints, of_drivers, of_equations;  // a body that each of them ties, 0 if none
  for (const Element& joint : mechanism.joints) of_joints.push_back(ties.tie(ties.bodies_of(joint)));
  for (const Element& driver : mechanism.drivers) of_drivers.push_back(ties.tie(ties.bodies_of(driver)));
  for (const NamedQuantity& equation : mechanism.constraints) {
    std::vector<int> bodies;
    ties.add_named(equation.value.value, bodies);
    of_equations.push_back(ties.tie(bodies));
  }
  std::vector<Part> parts;
  std::unordered_map<int, std::size_t> part_of_root;
  for (int body = 1; body < instance.bodies_of_file(); ++body) {
    const auto [found, added] = part_of_root.emplace(ties.root(body), parts.size());
    if (added) parts.emplace_back();
    parts[found->second].bodies.push_back(body);
  }
  const auto share_out = [&](const auto& from, const std::vector<int>& tied, auto Part::*to) {
    for (std::size_t i = 0; i < from.size(); ++i)
      if (tied[i] > 0) (parts[part_of_root.at(ties.root(tied[i]))].*to).push_back(&from[i]);
  };
  share_out(mechanism.joints, of_joints, &Part::joints);
  share_out(mechanism.drivers, of_drivers, &Part::drivers);
  share_out(mechanism.constraints, of_equations, &Part::equations);
  return parts;
}

std::shared_ptr<const Instance> instance_of(const Part& part, const Instance& whole) {
  const Mechanism& all = whole.mechanism();
  const auto mechanism = std::make_shared<Mechanism>();
  mechanism->name = all.name;
  mechanism->place = all.place;
  mechanism->planar = all.planar;
  mechanism->gravity = all.gravity;
  mechanism->parameters = all.parameters;
  std::map<int, int> place{{0, 0}};
  mechanism->bodies.push_back(all.bodies.front());
  std::unordered_set<std::string> bodies;
  for (const int body : part.bodies) {
    place.emplace(body, static_cast<int>(mechanism->bodies.size()));
    mechanism->bodies.push_back(all.bodies[static_cast<std::size_t>(body)]);
    bodies.insert(mechanism->bodies.back().name);
  }
  const auto take = [&](const std::vector<const Element*>& from, std::vector<Element>& to) {
    for (const Element* const element : from) {
      Element& copy = to.emplace_back(*element);
      for (auto& [key, argument] : copy.arguments) {
        for (PointRef& point : argument.points) point.body = place.at(point.body);
        for (AxisRef& axis : argument.axes) axis.body = place.at(axis.body);
        for (int& body : argument.bodies) body = place.at(body);
      }
    }
  };
  take(part.joints, mechanism->joints);
  take(part.drivers, mechanism->drivers);
  for (const NamedQuantity* const equation : part.equations) mechanism->constraints.push_back(*equation);
  for (const StartEntry& entry : all.start)
    if (bodies.contains(entry.name.substr(0, entry.name.find('.')))) mechanism->start.push_back(entry);
  std::vector<Parameter> parameters;
  for (const NamedQuantity& p : all.parameters)
    parameters.push_back(Parameters::number(p.name, whole.constant(p.name)->now(), "", ""));
  const Instance instance(mechanism, Parameters(std::move(parameters)));
  if (!whole.has_joint_data()) return std::make_shared<const Instance>(instance);
  std::map<std::string, std::vector<double>> data;
  for (const Element& joint : mechanism->joints) data[joint.name] = whole.joint_datum(joint.name);
  return std::make_shared<const Instance>(instance.with_joint_data(std::move(data)));
}

StartRequest request_of(const Part& part, const Instance& whole, const StartRequest& start) {
  StartRequest request;
  request.t = start.t;
  request.allow_free = true;
  request.correct_positions = start.correct_positions;
  request.q = values_of(part, reported_places(whole, false), start.q);
  request.v = values_of(part, reported_places(whole, true), start.v);
  std::unordered_set<std::string> bodies;
  for (const int body : part.bodies) bodies.insert(whole.bodies()[static_cast<std::size_t>(body)].name);
  const auto take = [&](const std::vector<std::string>& from, std::vector<std::string>& to) {
    for (const std::string& name : from)
      if (bodies.contains(name.substr(0, name.find('.')))) to.push_back(name);
  };
  take(start.trusted_positions, request.trusted_positions);
  take(start.trusted_velocities, request.trusted_velocities);
  return request;
}

}  // namespace raak

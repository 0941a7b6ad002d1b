// A mechanism as a user describes it: bodies, joints, forces and what is asked of them, every number an expression in
// the parameters with its place in the file. Plain data; assemble.h makes a system of it.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text/expression.h"
#include "base/text/place.h"

namespace raak {

// A number or a formula and where it stands.
struct Quantity {
  Expression value;
  Place place;
  bool is_text = false;  // columns of names inside it count from the character after the quote
};

class BodyKind;

struct BodySpec {
  std::string name;
  Place place;
  const BodyKind* kind = nullptr;  // bodies/catalogue.h
  Quantity mass;
  std::vector<Quantity> inertia;  // about com in body axes: one number (planar), 3 or 6 (spatial)
  std::vector<Quantity> com;      // empty: the origin
  std::vector<std::pair<std::string, std::vector<Quantity>>> points, axes;
};

struct PointRef {
  int body = 0;
  std::string point;
};
struct AxisRef {
  int body = 0;
  std::string axis;
};

// What stands behind one key of a joint, force or driver.
struct Argument {
  Place place;
  std::vector<PointRef> points;
  std::vector<AxisRef> axes;
  std::vector<int> bodies;
  std::vector<Quantity> numbers;
  std::string word;
};

struct Element {
  std::string name, type;
  Place place;
  std::map<std::string, Argument> arguments;

  bool has(const std::string& key) const { return arguments.contains(key); }
  const Argument& at(const std::string& key) const { return arguments.at(key); }
};

struct NamedQuantity {
  std::string name;
  Quantity value;
};

// Trusted and guessed values of the start: a coordinate, or all of "rod.position".
struct StartEntry {
  std::string name;
  Place place;
  std::vector<Quantity> values;
  bool trusted = false;
  bool is_list = false;  // [0.5], not 0.5
};

// Stiff parts start on their slow manifold (kinematics/slow/slow_manifold.h).
struct SmoothSpec {
  std::optional<int> order;       // terms of the expansion after the first
  std::optional<Quantity> above;  // rad/s: faster vibrations count as fast
};

struct EventSpec {
  std::string name;
  Quantity when;
  std::string direction = "any", action = "record";
};

struct Mechanism {
  std::string name, title;
  Place place;
  bool planar = true;
  std::vector<Quantity> gravity;
  std::vector<NamedQuantity> parameters;
  std::vector<BodySpec> bodies;  // the first is the ground
  std::vector<Element> joints, forces, drivers;
  std::vector<NamedQuantity> constraints;  // = 0
  std::vector<StartEntry> start;
  std::optional<SmoothSpec> smooth;
  std::vector<NamedQuantity> outputs;
  std::vector<EventSpec> events;
};

}  // namespace raak

#include "mechanism/bodies/mechanism_size.h"

#include <algorithm>
#include <cmath>

#include "mechanism/bodies/catalogue.h"
#include "mechanism/forces/catalogue.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

class Box {
 public:
  void take(const Vec3d& point) {
    for (int i = 0; i < 3; ++i) {
      lowest_[i] = any_ ? std::min(lowest_[i], point[i]) : point[i];
      highest_[i] = any_ ? std::max(highest_[i], point[i]) : point[i];
    }
    any_ = true;
  }
  double diagonal() const { return norm(highest_ - lowest_); }

 private:
  bool any_ = false;
  Vec3d lowest_, highest_;
};

double reach_of(const Body& body) {
  double reach = 0.0;
  for (const auto& [name, point] : body.points) reach = std::max(reach, norm(now(point) - now(body.com)));
  return reach;
}

// The diagonal of the box around the points of the ground and the bodies, as they are guessed, and the lengths of all
// bodies: no chain reaches farther.
double size_of(const Instance& instance, const Vector& q) {
  double longest = 0.0;
  Box box;
  for (const Body& body : instance.bodies()) {
    if (body.counter) continue;
    if (body.ground) {
      for (const auto& [name, point] : body.points) box.take(now(point));
      continue;
    }
    longest += 2.0 * reach_of(body);
    Vec3d centre;
    for (int i = 0; i < instance.dimensions(); ++i) centre[i] = q[body.first + i];
    box.take(centre);
  }
  return longest + box.diagonal();
}

void add_lengths(const Instance& instance, const Element& element, const ElementInfo& info,
                 std::vector<Live>& lengths) {
  for (const ArgumentInfo& argument : info.arguments)
    if (argument.kind == ArgumentKind::length && element.has(argument.key))
      for (const Quantity& number : element.at(argument.key).numbers) lengths.push_back(instance.number(number));
}

double largest_gyration(const Instance& instance) {
  double largest = 0.0;
  for (const Body& body : instance.bodies())
    if (!body.ground && !body.counter)
      for (std::size_t i = 0; i < 3; ++i)
        largest = std::max(largest, std::sqrt(body.inertia[i].now() / body.mass.now()));
  return largest;
}

// Of points of the ground and of where bodies are said to start.
double widest_start(const Instance& instance) {
  Box box;
  for (const auto& [name, point] : instance.bodies().front().points) box.take(now(point));
  for (const StartEntry& entry : instance.mechanism().start) {
    const bool planar = std::count(entry.name.begin(), entry.name.end(), '.') == 1 &&
                        (entry.name.ends_with(".x") || entry.name.ends_with(".y"));
    if (!planar && entry.name.find(".position") == std::string::npos) continue;
    Vec3d at;
    for (std::size_t i = 0; i < 3 && i < entry.values.size(); ++i)
      at[static_cast<int>(i)] = instance.number(entry.values[i]).now();
    box.take(at);
  }
  return box.diagonal();
}

}  // namespace

std::vector<Live> named_lengths(const Instance& instance) {
  const Mechanism& mechanism = instance.mechanism();
  std::vector<Live> lengths;
  for (const Element& joint : mechanism.joints) add_lengths(instance, joint, info_of_joint(joint), lengths);
  for (const Element& force : mechanism.forces) add_lengths(instance, force, info_of_force(force), lengths);
  return lengths;
}

double typical_length(const Instance& instance) {
  double longest = 0.0;
  Box ground;
  for (const Body& body : instance.bodies()) {
    if (!body.ground) longest = std::max(longest, reach_of(body));
    for (const auto& [name, point] : body.points)
      if (body.ground) ground.take(now(point));
  }
  longest = std::max(longest, ground.diagonal());
  for (const Live& length : instance.lengths_of_elements()) longest = std::max(longest, std::abs(length.now()));
  if (!(longest > 0.0)) longest = largest_gyration(instance);
  if (!(longest > 0.0)) longest = widest_start(instance);
  return longest > 0.0 && std::isfinite(longest) ? longest : 1.0;
}

Vector metric_of_geometry(const Instance& instance) {
  constexpr double shortest = 1e-3;  // of the typical length: a body on the axis of its hinge turns all the same
  Vector metric = Vector::Ones(instance.coordinates());
  for (const Body& body : instance.bodies()) {
    if (body.counter) continue;
    const double reach = reach_of(body) / instance.length();
    const double arm = reach > 0.0 ? std::clamp(reach, shortest, 1.0) : 1.0;
    const double of_turn = body.kind->turn_metric * arm * arm;
    for (int i = instance.dimensions(); i < body.size; ++i) metric[body.first + i] = of_turn;
  }
  return metric;
}

ConfigurationBounds bounds_around(const MaximalFormulas& formulas, const Vector& q, const Vector& gaps) {
  const Instance& instance = formulas.instance();
  ConfigurationBounds bounds;
  bounds.given = q;
  for (const Body& body : instance.bodies())
    for (int i = 0; i < instance.dimensions() && !body.ground && !body.counter; ++i)
      bounds.coordinates.push_back(body.first + i);
  double turn = 0.0, gap = 0.0;  // rad and m that the guess is off by; drivers and equations may lead far
  for (int row = 0; row < formulas.position_rows(); ++row) {
    const MechanismRow& owner = formulas.all_rows()[static_cast<std::size_t>(row)];
    if (owner.kind == Row::Kind::normalization) continue;
    double& off = owner.unit == "rad" ? turn : gap;
    off = std::max(off, std::abs(gaps[row]));
    if (owner.kind == Row::Kind::joint && owner.unit == "m") bounds.rows.push_back(row);
  }
  // What rolls goes as far as it turns.
  const double size = size_of(instance, q) * (1.0 + turn) + gap;
  bounds.size = std::isfinite(size) ? size : 0.0;
  return bounds;
}

}  // namespace raak

#include "mechanism/start/joint_by_joint.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "mechanism/bodies/catalogue.h"
#include "mechanism/joints/catalogue.h"

namespace raak {

Placement::Placement(const Instance& instance)
    : instance_(instance), places_(static_cast<std::size_t>(instance.bodies_of_file())), depth_(places_.size(), 0) {
  std::vector<std::vector<const Element*>> joints_of(places_.size());
  for (const Element& joint : instance.mechanism().joints) {
    if (!joint.has("pins")) continue;
    for (const PointRef& pin : joint.at("pins").points) {
      auto& joints = joints_of[static_cast<std::size_t>(pin.body)];
      if (joints.empty() || joints.back() != &joint) joints.push_back(&joint);
    }
  }
  joints_of_ = std::make_shared<const std::vector<std::vector<const Element*>>>(std::move(joints_of));
  places_.front().placed = true;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (instance.bodies()[i].kind->point) places_[i].has_rotation = true;
}

int Placement::place_all(const Bend* bend) {
  for (BodyPlacement& place : places_) place.placed |= place.listed() && (instance_.planar() || place.has_origin[2]);
  // The body with the most pins to placed ones comes first, of equals the first one of the file; one without pins
  // stays where it is listed.
  std::set<std::pair<int, int>> waiting;
  std::vector<int> counts(places_.size(), 0);
  const auto count = [&](int body) {
    const auto b = static_cast<std::size_t>(body);
    if (places_[b].placed) return;
    waiting.erase({-counts[b], body});
    const auto pins = static_cast<int>(pins_of(body).size());
    if (pins == 0) return;
    counts[b] = pins + (places_[b].has_rotation ? 1 : 0);
    waiting.insert({-counts[b], body});
  };
  const auto count_beside = [&](int body) {
    for (const Element* joint : (*joints_of_)[static_cast<std::size_t>(body)])
      for (const PointRef& pin : joint->at("pins").points) count(pin.body);
  };
  // What no joint connects with the ground begins at a body whose position is listed.
  const auto begin_afloat = [&] {
    const auto floats = [](const BodyPlacement& place) { return !place.placed && place.has_origin[0]; };
    const auto first = std::find_if(places_.begin(), places_.end(), floats);
    if (first == places_.end()) return false;
    first->placed = true;
    count_beside(static_cast<int>(first - places_.begin()));
    return true;
  };
  for (int b = 1; b < static_cast<int>(places_.size()); ++b) count(b);
  do {
    while (!waiting.empty()) {
      const int body = waiting.begin()->second;
      waiting.erase(waiting.begin());
      place(body, pins_of(body), bend);
      count_beside(body);
    }
  } while (begin_afloat());
  return *std::max_element(depth_.begin(), depth_.end());
}

bool Placement::leaves_choice() const {
  for (std::size_t b = 1; b < places_.size(); ++b)
    if (!places_[b].has_rotation && !(*joints_of_)[b].empty()) return true;
  return false;
}

Vector Placement::coordinates() const {
  std::vector<double> q;
  for (std::size_t b = 1; b < places_.size(); ++b) {
    const BodyPlacement& place = places_[b];
    const Body& body = instance_.bodies()[b];
    q.resize(q.size() + static_cast<std::size_t>(body.size));
    double* const of_body = q.data() + q.size() - body.size;
    for (int i = 0; i < instance_.dimensions(); ++i) of_body[i] = place.origin[i];
    body.kind->set_orientation(place, of_body);
  }
  return Eigen::Map<const Vector>(q.data(), static_cast<Eigen::Index>(q.size()));
}

// Pins between a body and those that have a place.
std::vector<Placement::Pin> Placement::pins_of(int body) const {
  std::vector<Pin> pins;
  for (const Element* joint : (*joints_of_)[static_cast<std::size_t>(body)]) {
    const auto& points = joint->at("pins").points;
    const auto here = std::find_if(points.begin(), points.end(), [&](const PointRef& p) { return p.body == body; });
    if (here == points.end()) continue;
    for (const PointRef& p : points)
      if (p.body != body && places_[static_cast<std::size_t>(p.body)].placed) {
        pins.push_back({*here, p, joint});
        break;
      }
  }
  return pins;
}
Vec3d Placement::position(const PointRef& ref) const {
  const BodyPlacement& place = places_[static_cast<std::size_t>(ref.body)];
  return place.origin + place.R * local(ref);
}
Vec3d Placement::local(const PointRef& ref) const {
  return now(instance_.bodies()[static_cast<std::size_t>(ref.body)].points.at(ref.point));
}

void Placement::place(int body, const std::vector<Pin>& pins, const Bend* bend) {
  BodyPlacement& place = places_[static_cast<std::size_t>(body)];
  if (!place.has_rotation) turn(place, pins, bend);
  const Vec3d origin = position(pins.front().there) - place.R * local(pins.front().here);
  for (int i = 0; i < 3; ++i)
    if (!place.has_origin[i]) place.origin[i] = origin[i];
  place.placed = true;
  depth_[static_cast<std::size_t>(body)] = depth_[static_cast<std::size_t>(pins.front().there.body)] + 1;
}

// Along the line between two placed pins, or as the axes of its joint say, or as bent.
void Placement::turn(BodyPlacement& place, const std::vector<Pin>& pins, const Bend* bend) const {
  if (instance_.planar() && pins.size() > 1) {
    const Vec3d there = position(pins[1].there) - position(pins[0].there);
    const Vec3d here = local(pins[1].here) - local(pins[0].here);
    if (norm(there) > 0.0 && norm(here) > 0.0) {
      place.set_angle(std::atan2(there.y, there.x) - std::atan2(here.y, here.x));
      return;
    }
  }
  const Pin& pin = pins.front();
  const BodyPlacement& other = places_[static_cast<std::size_t>(pin.there.body)];
  const bool rigid = info_of_joint(*pin.joint).keeps_orientation;
  if (instance_.planar()) {
    if (rigid) place.set_angle(other.angle);
    else if (bend != nullptr) bend_about_joint(place, pin, other, *bend);
    if (rigid && pin.joint->has("axes")) align(place, pin, other);
    return;
  }
  place.set_quaternion(other.p);
  if (pin.joint->has("axes")) align(place, pin, other);
  if (bend != nullptr && !rigid) bend_about_joint(place, pin, other, *bend);
}

void Placement::bend_about_joint(BodyPlacement& place, const Pin& pin, const BodyPlacement& other,
                                 const Bend& bend) const {
  const bool first = depth_[static_cast<std::size_t>(pin.there.body)] == 0;
  if (instance_.planar()) {
    place.set_angle(first ? bend.heading : other.angle + bend.curl);
    return;
  }
  Vec3d axis = other.R * Vec3d{bend.axis == 0 ? 1.0 : 0.0, bend.axis == 1 ? 1.0 : 0.0, bend.axis == 2 ? 1.0 : 0.0};
  if (pin.joint->has("axes"))
    for (const AxisRef& ref : pin.joint->at("axes").axes)
      if (ref.body == pin.there.body)
        axis = other.R * now(instance_.bodies()[static_cast<std::size_t>(ref.body)].axes.at(ref.axis));
  place.turn_by(((first ? bend.heading : bend.curl) / norm(axis)) * axis);
}

// The shortest turn that makes the axes of a joint parallel, or perpendicular where they are to be that.
void Placement::align(BodyPlacement& place, const Pin& pin, const BodyPlacement& other) const {
  const Vec3n* here = nullptr;
  const Vec3n* there = nullptr;
  for (const AxisRef& ref : pin.joint->at("axes").axes) {
    const Vec3n& axis = instance_.bodies()[static_cast<std::size_t>(ref.body)].axes.at(ref.axis);
    if (ref.body == pin.here.body) here = &axis;
    if (ref.body == pin.there.body) there = &axis;
  }
  if (here == nullptr || there == nullptr) return;
  const Vec3d wanted = other.R * now(*there);
  const Vec3d present = place.R * now(*here);
  const Vec3d normal = cross(present, wanted);
  double angle = std::atan2(norm(normal), dot(present, wanted));
  if (info_of_joint(*pin.joint).axes_lie == AxesLie::perpendicular) angle -= 0.5 * std::numbers::pi;
  if (instance_.planar()) {
    place.set_angle(place.angle + (normal.z < 0.0 ? -angle : angle));
    return;
  }
  if (std::abs(angle) < 1e-15) return;
  const Vec3d axis = norm(normal) > 1e-12 ? (1.0 / norm(normal)) * normal : place.R * now(perpendiculars(*here)[0]);
  place.turn_by(angle * axis);
}

}  // namespace raak

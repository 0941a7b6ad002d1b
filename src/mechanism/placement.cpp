#include "mechanism/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "mechanism/start_entries.h"

namespace raak {
namespace {

// A body in ground axes: origin and rotation.
struct Pose {
  Vec3d origin;
  Rotation<double> R = Rotation<double>::identity();
  double angle = 0.0;
  std::array<double, 4> p{1.0, 0.0, 0.0, 0.0};
  bool has_origin[3] = {false, false, false};
  bool has_rotation = false;
  bool placed = false;

  void set_angle(double a) {
    angle = a;
    R = Rotation<double>::about_z(std::cos(a), std::sin(a));
  }
  void set_quaternion(const std::array<double, 4>& quaternion) {
    p = quaternion;
    R = Rotation<double>::of_quaternion(p[0], p[1], p[2], p[3]);
  }
  bool listed() const { return has_origin[0] && has_origin[1] && has_rotation; }
};

std::array<double, 4> quaternion_of(const Vec3d& rotation) {
  const double angle = norm(rotation);
  const double s = angle > 0.0 ? std::sin(0.5 * angle) / angle : 0.5;
  return {std::cos(0.5 * angle), s * rotation.x, s * rotation.y, s * rotation.z};
}

class Placement {
 public:
  explicit Placement(const Instance& instance)
      : instance_(instance), poses_(instance.bodies().size()), joints_of_(poses_.size()) {
    poses_.front().placed = true;
    for (const Element& joint : instance.mechanism().joints) {
      if (!joint.has("pins")) continue;
      for (const PointRef& pin : joint.at("pins").points) {
        auto& joints = joints_of_[static_cast<std::size_t>(pin.body)];
        if (joints.empty() || joints.back() != &joint) joints.push_back(&joint);
      }
    }
    for (std::size_t i = 0; i < poses_.size(); ++i)
      if (instance.bodies()[i].point) poses_[i].has_rotation = true;
  }
  std::vector<Pose>& poses() { return poses_; }

  void place_all() {
    for (Pose& pose : poses_) pose.placed |= pose.listed() && (instance_.planar() || pose.has_origin[2]);
    // The body with the most pins to placed ones comes first, of equals the first one of the file; one without pins
    // stays where it is listed.
    std::set<std::pair<int, int>> waiting;
    std::vector<int> counts(poses_.size(), 0);
    const auto count = [&](int body) {
      const auto b = static_cast<std::size_t>(body);
      if (poses_[b].placed) return;
      waiting.erase({-counts[b], body});
      const auto pins = static_cast<int>(pins_of(body).size());
      if (pins == 0) return;
      counts[b] = pins + (poses_[b].has_rotation ? 1 : 0);
      waiting.insert({-counts[b], body});
    };
    for (int b = 1; b < static_cast<int>(poses_.size()); ++b) count(b);
    while (!waiting.empty()) {
      const int body = waiting.begin()->second;
      waiting.erase(waiting.begin());
      place(body);
      for (const Element* joint : joints_of_[static_cast<std::size_t>(body)])
        for (const PointRef& pin : joint->at("pins").points) count(pin.body);
    }
  }

 private:
  struct Pin {
    PointRef here, there;
    const Element* joint;
  };

  // Pins between a body and those that have a place.
  std::vector<Pin> pins_of(int body) const {
    std::vector<Pin> pins;
    for (const Element* joint : joints_of_[static_cast<std::size_t>(body)]) {
      const auto& points = joint->at("pins").points;
      const auto here = std::find_if(points.begin(), points.end(), [&](const PointRef& p) { return p.body == body; });
      if (here == points.end()) continue;
      for (const PointRef& p : points)
        if (p.body != body && poses_[static_cast<std::size_t>(p.body)].placed) {
          pins.push_back({*here, p, joint});
          break;
        }
    }
    return pins;
  }
  Vec3d position(const PointRef& ref) const {
    const Pose& pose = poses_[static_cast<std::size_t>(ref.body)];
    return pose.origin + pose.R * local(ref);
  }
  const Vec3d& local(const PointRef& ref) const {
    return instance_.bodies()[static_cast<std::size_t>(ref.body)].points.at(ref.point);
  }

  void place(int body) {
    Pose& pose = poses_[static_cast<std::size_t>(body)];
    const std::vector<Pin> pins = pins_of(body);
    if (!pose.has_rotation) turn(pose, pins);
    const Vec3d origin = position(pins.front().there) - pose.R * local(pins.front().here);
    for (int i = 0; i < 3; ++i)
      if (!pose.has_origin[i]) pose.origin[i] = origin[i];
    pose.placed = true;
  }
  // Along the line between two placed pins, or as the axes of its joint say.
  void turn(Pose& pose, const std::vector<Pin>& pins) const {
    if (instance_.planar() && pins.size() > 1) {
      const Vec3d there = position(pins[1].there) - position(pins[0].there);
      const Vec3d here = local(pins[1].here) - local(pins[0].here);
      if (norm(there) > 0.0 && norm(here) > 0.0) {
        pose.set_angle(std::atan2(there.y, there.x) - std::atan2(here.y, here.x));
        return;
      }
    }
    const Pin& pin = pins.front();
    const Pose& other = poses_[static_cast<std::size_t>(pin.there.body)];
    if (instance_.planar()) {
      const bool rigid = pin.joint->type == "prismatic" || pin.joint->type == "fixed";
      if (rigid) pose.set_angle(other.angle);
      if (pin.joint->type == "prismatic") align(pose, pin, other);
      return;
    }
    pose.set_quaternion(other.p);
    if (pin.joint->has("axes")) align(pose, pin, other);
  }
  // The shortest turn that makes the axes of a joint parallel, or perpendicular where they are to be that.
  void align(Pose& pose, const Pin& pin, const Pose& other) const {
    const Vec3d* here = nullptr;
    const Vec3d* there = nullptr;
    for (const AxisRef& ref : pin.joint->at("axes").axes) {
      const Vec3d& axis = instance_.bodies()[static_cast<std::size_t>(ref.body)].axes.at(ref.axis);
      if (ref.body == pin.here.body) here = &axis;
      if (ref.body == pin.there.body) there = &axis;
    }
    if (here == nullptr || there == nullptr) return;
    const Vec3d wanted = other.R * *there;
    const Vec3d present = pose.R * *here;
    const Vec3d normal = cross(present, wanted);
    double angle = std::atan2(norm(normal), dot(present, wanted));
    const std::string& type = pin.joint->type;
    if (type == "universal" || type == "rolling-disc" || type == "knife-edge") angle -= 0.5 * std::numbers::pi;
    if (instance_.planar()) {
      pose.set_angle(pose.angle + (normal.z < 0.0 ? -angle : angle));
      return;
    }
    if (std::abs(angle) < 1e-15) return;
    const Vec3d axis = norm(normal) > 1e-12 ? (1.0 / norm(normal)) * normal : perpendiculars(present)[0];
    const auto [w, x, y, z] = quaternion_of(angle * axis);
    const auto [a, b, c, d] = pose.p;
    pose.set_quaternion({w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c, w * c - x * d + y * a + z * b,
                         w * d + x * c - y * b + z * a});
  }

  const Instance& instance_;
  std::vector<Pose> poses_;
  std::vector<std::vector<const Element*>> joints_of_;  // by body: those with pins on it
};

}  // namespace

StartRequest placed_start(const Instance& instance, const std::vector<std::string>& positions,
                          const std::vector<std::string>& velocities) {
  Placement placement(instance);
  StartRequest start;
  start.allow_free = true;
  start.q = Vector::Zero(static_cast<Eigen::Index>(positions.size()));
  start.v = Vector::Zero(static_cast<Eigen::Index>(velocities.size()));
  std::unordered_map<std::string, Eigen::Index> velocity_of;
  for (std::size_t i = 0; i < velocities.size() && !instance.mechanism().start.empty(); ++i)
    velocity_of.emplace(velocities[i], static_cast<Eigen::Index>(i));
  std::unordered_set<std::string> trusted_already;
  for (const StartEntry& entry : instance.mechanism().start) {
    const StartName listed = read_start_entry(instance, entry);
    const int index = listed.body;
    const int component = listed.component;
    const std::string& what = listed.what;
    const std::string& body = instance.bodies()[static_cast<std::size_t>(index)].name;
    Pose& pose = placement.poses()[static_cast<std::size_t>(index)];
    std::array<double, 4> values{};
    for (std::size_t i = 0; i < entry.values.size(); ++i) values[i] = instance.number(entry.values[i]);
    const auto trust = [&](std::vector<std::string>& trusted, const std::string& name) {
      const char* const level = &trusted == &start.trusted_positions ? "q." : "v.";
      if (entry.trusted && trusted_already.insert(level + name).second) trusted.push_back(name);
    };
    const auto set_velocity = [&](const std::string& name, double value) {
      start.v[velocity_of.at(name)] = value;
      trust(start.trusted_velocities, name);
    };
    if (instance.planar()) {
      if (what == "x" || what == "y") {
        pose.origin[what[0] - 'x'] = values[0];
        pose.has_origin[what[0] - 'x'] = true;
        trust(start.trusted_positions, entry.name);
      } else if (what == "angle") {
        pose.set_angle(values[0]);
        pose.has_rotation = true;
        trust(start.trusted_positions, entry.name);
      } else {
        set_velocity(body + (what == "omega" ? ".angle" : what == "vx" ? ".x" : ".y"), values[0]);
      }
      continue;
    }
    constexpr std::array<const char*, 3> components{"x", "y", "z"};
    // One component, or all of them.
    const auto each_component = [&](auto&& take) {
      for (std::size_t i = 0; i < 3; ++i)
        if (component < 0 || component == static_cast<int>(i)) take(i, values[component < 0 ? i : 0]);
    };
    if (what == "position") {
      each_component([&](std::size_t i, double value) {
        pose.origin[static_cast<int>(i)] = value;
        pose.has_origin[i] = true;
        trust(start.trusted_positions, fmt::format("{}.position.{}", body, components[i]));
      });
    } else if (what == "velocity" || what == "omega") {
      each_component([&](std::size_t i, double value) {
        set_velocity(fmt::format("{}.{}.{}", body, what, components[i]), value);
      });
    } else if (component >= 0) {
      Vec3d rotation;
      rotation[component] = values[0];
      pose.set_quaternion(quaternion_of(rotation));
      pose.has_rotation = true;
      // About one axis the quaternion has two components; the one that changes more tells the angle.
      const bool by_sine = std::abs(std::cos(0.5 * values[0])) > std::abs(std::sin(0.5 * values[0]));
      const char* const told = by_sine ? components[static_cast<std::size_t>(component)] : "w";
      trust(start.trusted_positions, fmt::format("{}.quaternion.{}", body, told));
    } else {
      if (what == "quaternion") {
        require_unit_length(entry, values);
        pose.set_quaternion(values);
      } else {
        pose.set_quaternion(quaternion_of({values[0], values[1], values[2]}));
      }
      pose.has_rotation = true;
      for (const char* c : {"w", "x", "y", "z"})
        trust(start.trusted_positions, fmt::format("{}.quaternion.{}", body, c));
    }
  }
  placement.place_all();
  Eigen::Index k = 0;
  for (std::size_t b = 1; b < instance.bodies().size(); ++b) {
    const Pose& pose = placement.poses()[b];
    for (int i = 0; i < instance.dimensions(); ++i) start.q[k++] = pose.origin[i];
    if (instance.bodies()[b].point) continue;
    if (instance.planar()) start.q[k++] = pose.angle;
    else
      for (const double value : pose.p) start.q[k++] = value;
  }
  return start;
}

State inner_state(const Instance& instance, double t, const Vector& q, const Vector& v) {
  State state = State::of_size(instance.coordinates(), 0);
  state.t = t;
  Eigen::Index p = 0;
  Eigen::Index u = 0;
  for (const Body& body : instance.bodies()) {
    if (body.ground) continue;
    const int d = instance.dimensions();
    Pose pose;
    Vec3d velocity;
    Vec3d omega;
    for (int i = 0; i < d; ++i) pose.origin[i] = q[p++];
    for (int i = 0; i < d; ++i) velocity[i] = v[u++];
    if (!body.point && instance.planar()) {
      pose.set_angle(q[p++]);
      omega.z = v[u++];
      state.q[body.first + 2] = pose.angle;
      state.v[body.first + 2] = omega.z;
    } else if (!body.point) {
      pose.set_quaternion({q[p], q[p + 1], q[p + 2], q[p + 3]});
      omega = {v[u], v[u + 1], v[u + 2]};
      const auto [w, x, y, z] = pose.p;
      state.q.segment(body.first + 3, 4) = q.segment(p, 4);
      state.v.segment(body.first + 3, 4) << -0.5 * (x * omega.x + y * omega.y + z * omega.z),
          0.5 * (w * omega.x + z * omega.y - y * omega.z), 0.5 * (w * omega.y - z * omega.x + x * omega.z),
          0.5 * (w * omega.z + y * omega.x - x * omega.y);
      p += 4;
      u += 3;
    }
    const Vec3d arm = pose.R * body.com;
    const Vec3d centre = pose.origin + arm;
    const Vec3d rate = velocity + cross(omega, arm);
    for (int i = 0; i < d; ++i) {
      state.q[body.first + i] = centre[i];
      state.v[body.first + i] = rate[i];
    }
  }
  return state;
}

}  // namespace raak

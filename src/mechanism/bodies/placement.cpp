#include "mechanism/bodies/placement.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "mechanism/bodies/catalogue.h"
#include "mechanism/start/joint_by_joint.h"
#include "mechanism/start/start_entries.h"

namespace raak {
namespace {

// What [start] lists: placements of bodies, and rates with what is trusted.
StartRequest list_start(const Instance& instance, const std::vector<std::string>& velocities,
                        std::vector<BodyPlacement>& places) {
  StartRequest start;
  start.allow_free = true;
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
    BodyPlacement& place = places[static_cast<std::size_t>(index)];
    std::array<double, 4> values{};
    for (std::size_t i = 0; i < entry.values.size(); ++i) values[i] = instance.number(entry.values[i]).now();
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
        place.origin[what[0] - 'x'] = values[0];
        place.has_origin[what[0] - 'x'] = true;
        trust(start.trusted_positions, entry.name);
      } else if (what == "angle") {
        place.set_angle(values[0]);
        place.has_rotation = true;
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
        place.origin[static_cast<int>(i)] = value;
        place.has_origin[i] = true;
        trust(start.trusted_positions, fmt::format("{}.position.{}", body, components[i]));
      });
    } else if (what == "velocity" || what == "omega") {
      each_component([&](std::size_t i, double value) {
        set_velocity(fmt::format("{}.{}.{}", body, what, components[i]), value);
      });
    } else if (component >= 0) {
      require_sensible_rotation(entry, values[0], 0.0, 0.0);
      Vec3d rotation;
      rotation[component] = values[0];
      place.set_quaternion(quaternion_of(rotation));
      place.has_rotation = true;
      // About one axis the quaternion has two components; the one that changes more determines the angle.
      const bool by_sine = std::abs(std::cos(0.5 * values[0])) > std::abs(std::sin(0.5 * values[0]));
      const char* const changing = by_sine ? components[static_cast<std::size_t>(component)] : "w";
      trust(start.trusted_positions, fmt::format("{}.quaternion.{}", body, changing));
    } else {
      if (what == "quaternion") {
        require_unit_length(entry, values);
        place.set_quaternion(values);
      } else {
        require_sensible_rotation(entry, values[0], values[1], values[2]);
        place.set_quaternion(quaternion_of({values[0], values[1], values[2]}));
      }
      place.has_rotation = true;
      for (const char* c : {"w", "x", "y", "z"})
        trust(start.trusted_positions, fmt::format("{}.quaternion.{}", body, c));
    }
  }
  return start;
}

}  // namespace

StartRequest placed_start(const Instance& instance, const std::vector<std::string>& /*positions*/,
                          const std::vector<std::string>& velocities) {
  Placement placement(instance);
  StartRequest start = list_start(instance, velocities, placement.places());
  placement.place_all();
  start.q = placement.coordinates();
  return start;
}

Placement listed_bodies(const Instance& instance, const std::vector<std::string>& velocities) {
  Placement placement(instance);
  list_start(instance, velocities, placement.places());
  return placement;
}

State inner_state(const Instance& instance, double t, const Vector& q, const Vector& v) {
  State state = State::of_size(instance.coordinates(), 0);
  state.t = t;
  Eigen::Index p = 0;
  Eigen::Index u = 0;
  for (const Body& body : instance.bodies()) {
    if (body.ground || body.counter) continue;
    const int d = instance.dimensions();
    double* const of_body = state.q.data() + body.first;
    Vec3d origin, velocity, omega;
    for (int i = 0; i < d; ++i) origin[i] = q[p++];
    for (int i = 0; i < d; ++i) velocity[i] = v[u++];
    for (int i = d; i < body.size; ++i) of_body[i] = q[p++];
    for (int i = 3 - body.kind->turning; i < 3; ++i) omega[i] = v[u++];
    body.kind->set_turning(of_body, omega, state.v.data() + body.first);
    const Vec3d arm = body.kind->rotation(of_body) * now(body.com);
    const Vec3d centre = origin + arm;
    const Vec3d rate = velocity + cross(omega, arm);
    for (int i = 0; i < d; ++i) {
      state.q[body.first + i] = centre[i];
      state.v[body.first + i] = rate[i];
    }
  }
  return state;
}

}  // namespace raak

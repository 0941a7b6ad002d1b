#include "mechanism/bodies/thin_rods.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/linear/eigenvalues.h"
#include "mechanism/bodies/catalogue.h"
#include "mechanism/bodies/inertia_tensor.h"
#include "mechanism/forces/catalogue.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

constexpr double vanishing_moment = 1e-12;  // of the largest principal moment
constexpr double on_axis = 1e-9;            // m, or of the length

Vec3d axis_of(const Body& body) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(inertia_tensor(body));
  const Eigen::Vector3d axis = eigen.eigenvectors().col(0);
  return {axis[0], axis[1], axis[2]};
}

bool lies_on_axis(const Body& body, const Vec3d& axis, const std::string& point) {
  const Vec3d from_centre = now(body.points.at(point) - body.com);
  return norm(cross(from_centre, axis)) <= on_axis * std::max(1.0, norm(from_centre));
}

// Null, or what may turn the rod about its axis.
const Element* turned_by(const Instance& instance, int index, const Vec3d& axis) {
  const Mechanism& mechanism = instance.mechanism();
  const Body& body = instance.bodies()[static_cast<std::size_t>(index)];
  const auto turned_by_one = [&](const std::vector<Element>& elements, const auto& info_of) -> const Element* {
    for (const Element& element : elements) {
      const std::size_t first_pulled = info_of(element).first_pulled_point;
      for (const auto& [key, argument] : element.arguments) {
        for (std::size_t i = 0; i < argument.points.size(); ++i)
          if (argument.points[i].body == index &&
              (i < first_pulled || !lies_on_axis(body, axis, argument.points[i].point)))
            return &element;
        const auto of_body = [&](const auto& part) { return part.body == index; };
        if (std::any_of(argument.axes.begin(), argument.axes.end(), of_body) ||
            std::find(argument.bodies.begin(), argument.bodies.end(), index) != argument.bodies.end())
          return &element;
      }
    }
    return nullptr;
  };
  if (const Element* const joint = turned_by_one(mechanism.joints, info_of_joint)) return joint;
  if (const Element* const force = turned_by_one(mechanism.forces, info_of_force)) return force;
  for (const Element& driver : mechanism.drivers) {
    if (driver.has("coordinate")) {
      for (const Expression::Name& name : driver.at("coordinate").numbers.front().value.names())
        if (name.text.starts_with(body.name + ".")) return &driver;
    }
    if (!driver.has("distance")) continue;
    for (const PointRef& point : driver.at("distance").points)
      if (point.body == index && !lies_on_axis(body, axis, point.point)) return &driver;
  }
  return nullptr;
}

}  // namespace

bool is_thin_rod(const Body& body) {
  if (body.kind->turning != 3) return false;
  const Eigen::Vector3d principal = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia_tensor(body)).eigenvalues();
  const double largest = principal[2];
  return largest > 0.0 && std::abs(principal[0]) <= vanishing_moment * largest &&
         std::abs(principal[1] - largest) <= 1e-9 * largest;
}

void complete_thin_rods(const Instance& instance, std::vector<Body>& bodies) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    Body& body = bodies[b];
    if (!is_thin_rod(body)) continue;
    const Vec3d axis = axis_of(body);
    const BodySpec& spec = instance.mechanism().bodies[b];
    const Place place = spec.inertia.empty() ? spec.place : spec.inertia.front().place;
    if (const Element* const element = turned_by(instance, static_cast<int>(b), axis))
      refuse_at(place,
                fmt::format("\"{}\" has no inertia about its own axis, and \"{}\" may turn it about that axis. Give "
                            "it the inertia of its thickness there (m r^2/2 of a round rod of radius r), or tie "
                            "it in points of its axis by joints that leave turning free, such as spherical",
                            spec.name, element->name));
    for (const NamedQuantity& equation : instance.mechanism().constraints)
      for (const Expression::Name& name : equation.value.value.names())
        if (name.text.starts_with(spec.name + "."))
          refuse_at(place,
                    fmt::format("\"{}\" has no inertia about its own axis, and the constraint \"{}\" may turn it "
                                "about that axis. Give it the inertia of its thickness there",
                                spec.name, equation.name));
    for (Live& entry : body.inertia) entry = Live(entry.value());
    const Live across = 0.5 * (body.inertia[0] + body.inertia[1] + body.inertia[2]);
    const double a[3] = {axis.x, axis.y, axis.z};
    static constexpr int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (std::size_t k = 0; k < 6; ++k) body.inertia[k] += across * a[pairs[k][0]] * a[pairs[k][1]];
  }
}

}  // namespace raak

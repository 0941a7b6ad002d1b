#include "mechanism/bodies/body_frames.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

using Quaternion = std::array<double, 4>;

Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

// Of the coordinates of a body in space, at unit length.
Quaternion quaternion_in(const Vector& x, int first) {
  return {x[first], x[first + 1], x[first + 2], x[first + 3]};
}
Quaternion rotation_of(const Body& body, const Vector& q) {
  Quaternion p = quaternion_in(q, body.first + 3);
  const double length = std::hypot(std::hypot(p[0], p[1]), std::hypot(p[2], p[3]));
  if (!(length > 0.0)) return {1.0, 0.0, 0.0, 0.0};
  for (double& part : p) part /= length;
  return p;
}

// The frame of a body, or its inverse, on a step of its coordinates: positions are turned as vectors, quaternions
// multiplied, so that a step p d of p is d as the body sees it.
void turn_step(const Instance& instance, const Body& body, const Vector& q, bool back, Vector& step) {
  if (body.ground || body.counter || body.point) return;
  if (instance.planar()) {
    const double angle = back ? -q[body.first + 2] : q[body.first + 2];
    const double c = std::cos(angle), s = std::sin(angle), x = step[body.first], y = step[body.first + 1];
    step[body.first] = c * x - s * y;
    step[body.first + 1] = s * x + c * y;
    return;
  }
  Quaternion p = rotation_of(body, q);
  if (back) p = {p[0], -p[1], -p[2], -p[3]};
  const Vec3d place{step[body.first], step[body.first + 1], step[body.first + 2]};
  const Vec3d turned = Rotation<double>::of_quaternion(p[0], p[1], p[2], p[3]) * place;
  const Quaternion change = product(p, quaternion_in(step, body.first + 3));
  for (int i = 0; i < 3; ++i) step[body.first + i] = turned[i];
  for (int i = 0; i < 4; ++i) step[body.first + 3 + i] = change[static_cast<std::size_t>(i)];
}

}  // namespace

BodyFrames::BodyFrames(const Instance& instance)
    : instance_(instance), axes_(instance.bodies().size(), Vec3d{1.0, 1.0, 1.0}) {
  if (instance.planar()) return;
  std::vector<bool> has_hinge(axes_.size(), false);
  for (const Element& joint : instance.mechanism().joints) {
    if (!joint.has("axes") || !info_of_joint(joint).turns_about_axes()) continue;
    for (const AxisRef& axis : joint.at("axes").axes) {
      const auto b = static_cast<std::size_t>(axis.body);
      if (has_hinge[b]) continue;
      has_hinge[b] = true;
      axes_[b] = instance.bodies()[b].axes.at(axis.axis);
    }
  }
}

Vector BodyFrames::to_coordinates(const Vector& q, Vector step) const {
  for (const Body& body : instance_.bodies()) turn_step(instance_, body, q, false, step);
  return step;
}

Vector BodyFrames::from_coordinates(const Vector& q, Vector step) const {
  for (const Body& body : instance_.bodies()) turn_step(instance_, body, q, true, step);
  return step;
}

std::vector<Vector> BodyFrames::left_turns(const Vector& q) const {
  Vector alike = Vector::Zero(q.size()), rising = Vector::Zero(q.size());
  double number = 0.0;
  for (std::size_t b = 0; b < axes_.size(); ++b) {
    const Body& body = instance_.bodies()[b];
    if (body.ground || body.counter || body.point) continue;
    const int first = body.first + instance_.dimensions();
    if (instance_.planar()) alike[first] = 1.0;
    else
      for (int i = 0; i < 3; ++i) alike[first + 1 + i] = axes_[b][i];
    rising.segment(first, body.size - instance_.dimensions()) =
        ++number * alike.segment(first, body.size - instance_.dimensions());
  }
  return {to_coordinates(q, alike), to_coordinates(q, rising)};
}

}  // namespace raak

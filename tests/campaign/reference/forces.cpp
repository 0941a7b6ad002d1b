#include "forces.h"

#include <cmath>
#include <stdexcept>

#include "rows.h"

namespace reference {
namespace {

// What the twist about two axes, which may tilt, grows by where the second body turns about each direction: the axis
// itself where they are parallel.
Vector3 slope_of_twist(const Motion& motion, const Element& element) {
  const Vector3 first = direction_of(motion, element.axes.at(0)).value;
  const Vector3 second = direction_of(motion, element.axes.at(1)).value;
  return (first + second) / (1.0 + first.dot(second));
}

class Loads {
 public:
  Loads(const Mechanism& mechanism, const Motion& motion)
      : values(Vector::Zero(Eigen::Index(6 * mechanism.bodies.size()))), mechanism_(mechanism), motion_(motion) {}

  Vector values;

  void at(const Moving& point, const Vector3& force) {
    values.segment<3>(6 * point.body) += force;
    values.segment<3>(6 * point.body + 3) += point.arm.cross(force);
  }
  void turn(int body, const Vector3& moment) { values.segment<3>(6 * body + 3) += moment; }

  void add(const Element& f) {
    const auto number = [&](std::size_t i) { return f.numbers.at(i); };
    const auto point = [&](std::size_t i) { return point_of(mechanism_, motion_, f.pins.at(i)); };
    const auto body = [&](std::size_t i) -> const Placed& { return motion_.bodies[std::size_t(f.pins.at(i).body)]; };
    if (f.type == "spring") {  // stiffness, length, damping, pull
      const Moving a = point(0);
      const Moving b = point(1);
      const Vector3 d = b.value - a.value;
      const Vector3 n = d.normalized();
      const double tension = number(0) * (d.norm() - number(1)) + number(2) * n.dot(b.rate - a.rate) + number(3);
      at(a, tension * n);
      at(b, -tension * n);
    } else if (f.type == "torsion-spring") {  // stiffness, angle, damping
      const Vector3 axis = mechanism_.planar ? Vector3::UnitZ() : slope_of_twist(motion_, f);
      const double angle = mechanism_.planar ? body(1).angle - body(0).angle : motion_.counted[std::size_t(f.counted)];
      const double torque = number(0) * (angle - number(1)) + number(2) * axis.dot(body(1).omega - body(0).omega);
      turn(f.pins[0].body, torque * axis);
      turn(f.pins[1].body, -torque * axis);
    } else if (f.type == "bushing") {  // stiffness, damping, torsion, torsion-damping, angle
      const Moving a = point(0);
      const Moving b = point(1);
      // The spring and the damper act at the points themselves, which lie apart.
      const Vector3 force = number(0) * (b.value - a.value) + number(1) * (b.rate - a.rate);
      at(a, force);
      at(b, -force);
      Vector3 twist = (body(1).angle - body(0).angle - number(4)) * Vector3::UnitZ();
      if (!mechanism_.planar) {
        const Eigen::AngleAxisd turned(Eigen::Matrix3d(body(1).rotation * body(0).rotation.transpose()));
        twist = turned.angle() * turned.axis();
      }
      const Vector3 moment = number(2) * twist + number(3) * (body(1).omega - body(0).omega);
      turn(f.pins[0].body, moment);
      turn(f.pins[1].body, -moment);
    } else if (f.type == "force" || f.type == "torque") {
      Vector3 value = Vector3::Zero();
      const bool plane_torque = mechanism_.planar && f.type == "torque";
      for (std::size_t i = 0; i < f.courses.size(); ++i)
        value[plane_torque ? 2 : Eigen::Index(i)] = f.courses[i].value(motion_.t);
      if (f.body_axes && !plane_torque) value = body(0).rotation * value;
      if (f.type == "force") at(point(0), value);
      else {
        turn(f.pins[0].body, value);
        if (f.pins.size() > 1) turn(f.pins[1].body, -value);
      }
    } else if (f.type.starts_with("actuator-")) {
      Element joint = f;
      joint.type = f.type.substr(9);
      const double value = f.courses.at(0).value(motion_.t);
      for (const Row::Part& part : freedom_row(mechanism_, motion_, joint).parts)
        values.segment<6>(6 * part.body) += value * part.slope;
    } else throw std::runtime_error("no force type " + f.type);
  }

 private:
  const Mechanism& mechanism_;
  const Motion& motion_;
};

}  // namespace

Vector applied(const Mechanism& mechanism, const Motion& motion) {
  Loads loads(mechanism, motion);
  for (std::size_t i = 1; i < mechanism.bodies.size(); ++i) {
    const Body& body = mechanism.bodies[i];
    const Placed& now = motion.bodies[i];
    loads.values.segment<3>(Eigen::Index(6 * i)) += body.mass * mechanism.gravity;
    const Vector3 spin = now.rotation * (body.inertia * (now.rotation.transpose() * now.omega));
    loads.turn(int(i), -now.omega.cross(spin));
  }
  for (const Element& force : mechanism.forces) loads.add(force);
  return loads.values;
}

double counted_rate(const Motion& motion, const Element& element) {
  return slope_of_twist(motion, element)
      .dot(motion.bodies[std::size_t(element.pins[1].body)].omega -
                  motion.bodies[std::size_t(element.pins[0].body)].omega);
}

}  // namespace reference

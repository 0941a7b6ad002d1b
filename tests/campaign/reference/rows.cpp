#include "rows.h"

#include <cmath>
#include <stdexcept>

#include "row_shapes.h"

namespace reference {
namespace {

// Some direction across another, in the same body.
Pin across(const Pin& axis, int which) {
  int least = 0;
  axis.at.cwiseAbs().minCoeff(&least);
  const Vector3 first = axis.at.cross(Vector3::Unit(least)).normalized();
  return {axis.body, which == 0 ? first : Vector3(axis.at.cross(first))};
}

class Builder {
 public:
  Builder(const Mechanism& mechanism, const Motion& motion, const Element& joint)
      : mechanism_(mechanism), motion_(motion), joint_(joint) {}

  std::vector<Row> rows;

  Moving pin(std::size_t i) const { return point_of(mechanism_, motion_, joint_.pins.at(i)); }
  Moving axis(std::size_t i) const { return direction_of(motion_, joint_.axes.at(i)); }
  Moving side(std::size_t i, int which) const { return direction_of(motion_, across(joint_.axes.at(i), which)); }

  void coincide(std::size_t i) {
    for (int k = 0; k < (mechanism_.planar ? 2 : 3); ++k)
      rows.push_back(along_ground(Vector3::Unit(k), pin(0), pin(i)));
  }
  void parallel(std::size_t i) {
    for (int k = 0; k < 2; ++k) rows.push_back(product(side(0, k), axis(i)));
  }
  void on_axis() {
    for (int k = 0; k < 2; ++k) rows.push_back(along(side(0, k), pin(0), pin(1)));
  }

  // In the plane: the direction to the left of an axis.
  Moving left(std::size_t i) const {
    return direction_of(motion_, {joint_.axes.at(i).body, Vector3::UnitZ().cross(joint_.axes.at(i).at)});
  }

  void prismatic() {
    if (mechanism_.planar) {
      rows.push_back(along(left(0), pin(0), pin(1)));
      Row turn = angle_of(motion_, joint_.pins[1].body, 1.0);
      add_scaled(turn, 1.0, angle_of(motion_, joint_.pins[0].body, -1.0));
      turn.residual = product(left(0), axis(1)).residual;
      rows.push_back(turn);
      return;
    }
    on_axis();
    parallel(1);
    // Frames are parallel where the same axis of both coincides.
    const Pin u = across(joint_.axes[0], 0);
    rows.push_back(
        product(direction_of(motion_, u), direction_of(motion_, {joint_.axes[1].body, across(joint_.axes[0], 1).at})));
  }

  void fixed() {
    coincide(1);
    const int a = joint_.pins[0].body;
    const int b = joint_.pins[1].body;
    if (mechanism_.planar) {
      Row turn = angle_of(motion_, b, 1.0);
      add_scaled(turn, 1.0, angle_of(motion_, a, -1.0));
      turn.residual -= joint_.numbers.at(0);
      rows.push_back(turn);
      return;
    }
    for (int k = 0; k < 3; ++k)
      rows.push_back(product(direction_of(motion_, {a, Vector3::Unit(k)}),
                             direction_of(motion_, {b, Vector3::Unit((k + 1) % 3)})));
  }

  // numbers: radius, offset
  void rolling() {
    Row height = along(left(0), pin(0), pin(1));
    height.residual -= joint_.numbers.at(0);
    rows.push_back(height);
    Row roll = along(axis(0), pin(0), pin(1));
    add_scaled(roll, 1.0, angle_of(motion_, joint_.pins[1].body, joint_.numbers[0]));
    add_scaled(roll, 1.0, angle_of(motion_, joint_.pins[0].body, -joint_.numbers[0]));
    roll.residual -= joint_.numbers.at(1);
    rows.push_back(roll);
  }

  // numbers: radius, offset
  void rack() {
    Row mesh = along(axis(0), pin(0), pin(1));
    add_scaled(mesh, 1.0, angle_of(motion_, joint_.pins[0].body, -joint_.numbers.at(0)));
    add_scaled(mesh, 1.0, angle_of(motion_, joint_.pins[1].body, joint_.numbers.at(0)));
    mesh.residual -= joint_.numbers.at(1);
    rows.push_back(mesh);
  }

  // pins: the gears and the carrier; numbers: ratio, phase
  void gear() {
    const double ratio = joint_.numbers.at(0);
    const int carrier = joint_.pins.at(2).body;
    if (mechanism_.planar) {
      Row mesh = angle_of(motion_, joint_.pins[1].body, 1.0);
      add_scaled(mesh, 1.0, angle_of(motion_, joint_.pins[0].body, -ratio));
      add_scaled(mesh, 1.0, angle_of(motion_, carrier, ratio - 1.0));
      mesh.residual -= joint_.numbers.at(1);
      rows.push_back(mesh);
      return;
    }
    Row mesh = turning(motion_, axis(1), carrier, joint_.pins[1].body);
    add_scaled(mesh, -ratio, turning(motion_, axis(0), carrier, joint_.pins[0].body));
    mesh.holonomic = false;
    rows.push_back(mesh);
  }

  // numbers: pitch
  void screw() {
    on_axis();
    parallel(1);
    Row thread = along(axis(0), pin(0), pin(1));
    thread.residual = 0.0;
    add_scaled(thread, -joint_.numbers.at(0) / (2.0 * M_PI),
               turning(motion_, axis(0), joint_.pins[0].body, joint_.pins[1].body));
    thread.holonomic = false;
    rows.push_back(thread);
  }

  // No velocity of the second pin, seen from the first body, along c with the rate c'.
  void no_slip(const Vector3& c, const Vector3& c_rate, const Vector3& at, const Vector3& at_rate, const Vector3& arm,
               const Vector3& arm_rate) {
    const Placed& a = motion_.bodies[std::size_t(joint_.pins[0].body)];
    const Placed& b = motion_.bodies[std::size_t(joint_.pins[1].body)];
    const Vector3 from_a = at - a.centre;
    const Vector3 relative = b.velocity + b.omega.cross(arm) - a.velocity - a.omega.cross(from_a);
    Row row;
    row.holonomic = false;
    row.bias = c_rate.dot(relative) + c.dot(b.omega.cross(arm_rate) - a.omega.cross(at_rate - a.velocity));
    add(row, joint_.pins[1].body, c, arm.cross(c));
    add(row, joint_.pins[0].body, -c, -from_a.cross(c));
    rows.push_back(row);
  }

  void knife_edge() {
    const Moving blade = axis(0);
    const Moving normal = mechanism_.planar ? direction_of(motion_, {0, Vector3::UnitZ()}) : axis(1);
    const Moving edge = pin(1);
    no_slip(normal.value.cross(blade.value), normal.rate.cross(blade.value) + normal.value.cross(blade.rate),
            edge.value, edge.rate, edge.arm, motion_.bodies[std::size_t(edge.body)].omega.cross(edge.arm));
  }

  // numbers: radius. The lowest point of the disc lies at centre - radius (n - s a) / l, s = n a, l^2 = 1 - s^2.
  void rolling_disc() {
    const double radius = joint_.numbers.at(0);
    const Moving n = axis(0);
    const Moving a = axis(1);
    const Row tilt = product(n, a);
    const double s = tilt.residual;
    const double s_rate = n.rate.dot(a.value) + n.value.dot(a.rate);
    const double l = std::sqrt(1.0 - s * s);
    const double l_rate = -s * s_rate / l;
    Row height = along(n, pin(0), pin(1));
    height.residual -= radius * l;
    height.bias += radius * (s * tilt.bias + s_rate * s_rate) / l + radius * s * s * s_rate * s_rate / (l * l * l);
    for (const Row::Part& part : tilt.parts)
      add(height, part.body, radius * s / l * part.slope.head<3>(), radius * s / l * part.slope.tail<3>());
    rows.push_back(height);
    const Vector3 slope = n.value - s * a.value;
    const Vector3 slope_rate = n.rate - s_rate * a.value - s * a.rate;
    const Vector3 down = -radius / l * slope;
    const Vector3 down_rate = -radius / l * slope_rate + radius * l_rate / (l * l) * slope;
    const Moving centre = pin(1);
    const Placed& disc = motion_.bodies[std::size_t(centre.body)];
    for (int k = 0; k < 2; ++k) {
      const Moving c = side(0, k);
      no_slip(c.value, c.rate, centre.value + down, centre.rate + down_rate, centre.arm + down,
              disc.omega.cross(centre.arm) + down_rate);
    }
  }

 private:
  const Mechanism& mechanism_;
  const Motion& motion_;
  const Element& joint_;
};

}  // namespace

Moving point_of(const Mechanism& mechanism, const Motion& motion, const Pin& pin) {
  const Placed& body = motion.bodies[std::size_t(pin.body)];
  const Vector3 arm = body.rotation * (pin.at - mechanism.bodies[std::size_t(pin.body)].centre);
  const Vector3 swing = body.omega.cross(arm);
  return {pin.body, body.centre + arm, body.velocity + swing, body.omega.cross(swing), arm};
}

Moving direction_of(const Motion& motion, const Pin& axis) {
  const Placed& body = motion.bodies[std::size_t(axis.body)];
  const Vector3 value = body.rotation * axis.at;
  const Vector3 rate = body.omega.cross(value);
  return {axis.body, value, rate, body.omega.cross(rate), value};
}

std::vector<Row> joint_rows(const Mechanism& mechanism, const Motion& motion, const Element& joint) {
  Builder b(mechanism, motion, joint);
  const std::string& type = joint.type;
  if (type == "revolute" || type == "spherical") {
    for (std::size_t i = 1; i < joint.pins.size(); ++i) {
      b.coincide(i);
      if (!mechanism.planar && type == "revolute") b.parallel(i);
    }
  } else if (type == "prismatic") b.prismatic();
  else if (type == "fixed") b.fixed();
  else if (type == "distance") b.rows.push_back(distance(b.pin(0), b.pin(1), joint.numbers.at(0)));
  else if (type == "slot") b.rows.push_back(along(b.left(0), b.pin(0), b.pin(1)));
  else if (type == "rolling") b.rolling();
  else if (type == "rack") b.rack();
  else if (type == "gear") b.gear();
  else if (type == "knife-edge") b.knife_edge();
  else if (type == "cylindrical") {
    b.on_axis();
    b.parallel(1);
  } else if (type == "screw") b.screw();
  else if (type == "universal") {
    b.coincide(1);
    b.rows.push_back(product(b.axis(0), b.axis(1)));
  } else if (type == "planar") {
    b.rows.push_back(along(b.axis(0), b.pin(0), b.pin(1)));
    b.parallel(1);
  } else if (type == "point-on-line") b.on_axis();
  else if (type == "point-on-plane") b.rows.push_back(along(b.axis(0), b.pin(0), b.pin(1)));
  else if (type == "rolling-disc") b.rolling_disc();
  else throw std::runtime_error("no joint type " + type);
  return b.rows;
}

Row freedom_row(const Mechanism& mechanism, const Motion& motion, const Element& joint) {
  const Builder b(mechanism, motion, joint);
  if (joint.type != "revolute") return along(b.axis(0), b.pin(0), b.pin(1));
  if (!mechanism.planar) return turning(motion, b.axis(0), joint.pins[0].body, joint.pins[1].body);
  Row row = angle_of(motion, joint.pins[1].body, 1.0);
  add_scaled(row, 1.0, angle_of(motion, joint.pins[0].body, -1.0));
  return row;
}

// Types: angle (pins[0].body in the plane), distance, and freedom (type, pins and axes of the joint).
Row driver_row(const Mechanism& mechanism, const Motion& motion, const Element& driver) {
  Row row;
  if (driver.type == "angle") row = angle_of(motion, driver.pins.at(0).body, 1.0);
  else if (driver.type == "distance")
    row = distance(point_of(mechanism, motion, driver.pins.at(0)), point_of(mechanism, motion, driver.pins.at(1)), 0.0);
  else row = freedom_row(mechanism, motion, driver);
  const Course& course = driver.courses.at(0);
  row.residual -= course.value(motion.t);
  row.rate -= course.rate(motion.t);
  row.bias -= course.second(motion.t);
  return row;
}

}  // namespace reference

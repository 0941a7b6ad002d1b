#include "row_shapes.h"

#include <cmath>

namespace reference {

void add(Row& row, int body, const Vector3& linear, const Vector3& angular) {
  if (body == 0) return;
  for (Row::Part& part : row.parts)
    if (part.body == body) {
      part.slope.head<3>() += linear;
      part.slope.tail<3>() += angular;
      return;
    }
  Row::Part part{body, Vector6::Zero()};
  part.slope << linear, angular;
  row.parts.push_back(part);
}

void add_scaled(Row& row, double factor, const Row& other) {
  row.residual += factor * other.residual;
  row.rate += factor * other.rate;
  row.bias += factor * other.bias;
  for (const Row::Part& part : other.parts)
    add(row, part.body, factor * part.slope.head<3>(), factor * part.slope.tail<3>());
}

Row along_ground(const Vector3& e, const Moving& a, const Moving& b) {
  Row row;
  row.residual = e.dot(b.value - a.value);
  row.bias = e.dot(b.second - a.second);
  add(row, b.body, e, b.arm.cross(e));
  add(row, a.body, -e, -a.arm.cross(e));
  return row;
}

Row along(const Moving& u, const Moving& a, const Moving& b) {
  const Vector3 d = b.value - a.value;
  Row row = along_ground(u.value, a, b);
  row.bias += u.second.dot(d) + 2.0 * u.rate.dot(b.rate - a.rate);
  add(row, u.body, Vector3::Zero(), u.value.cross(d));
  return row;
}

Row product(const Moving& u, const Moving& w) {
  Row row;
  row.residual = u.value.dot(w.value);
  row.bias = u.second.dot(w.value) + 2.0 * u.rate.dot(w.rate) + u.value.dot(w.second);
  add(row, u.body, Vector3::Zero(), u.value.cross(w.value));
  add(row, w.body, Vector3::Zero(), w.value.cross(u.value));
  return row;
}

Row turning(const Motion& motion, const Moving& axis, int a, int b) {
  Row row;
  row.holonomic = false;
  const Vector3 relative = motion.bodies[std::size_t(b)].omega - motion.bodies[std::size_t(a)].omega;
  row.bias = axis.rate.dot(relative);
  add(row, b, Vector3::Zero(), axis.value);
  add(row, a, Vector3::Zero(), -axis.value);
  return row;
}

Row angle_of(const Motion& motion, int body, double factor) {
  Row row;
  row.residual = factor * motion.bodies[std::size_t(body)].angle;
  add(row, body, Vector3::Zero(), factor * Vector3::UnitZ());
  return row;
}

Row distance(const Moving& a, const Moving& b, double length) {
  const Vector3 d = b.value - a.value;
  const Vector3 rate = b.rate - a.rate;
  const Vector3 n = d.normalized();
  Row row = along_ground(n, a, b);
  row.residual = d.norm() - length;
  row.bias += (rate.squaredNorm() - std::pow(n.dot(rate), 2)) / d.norm();
  return row;
}

}  // namespace reference

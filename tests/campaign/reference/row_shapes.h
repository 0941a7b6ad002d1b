// The shapes that rows are made of: the difference of two points, a direction times such a difference, and the product
// of two directions. Velocities are those of centres of mass and angular velocities in ground axes.
#pragma once
#include "rows.h"

namespace reference {

void add(Row& row, int body, const Vector3& linear, const Vector3& angular);
void add_scaled(Row& row, double factor, const Row& other);
// e (b - a) for a constant e
Row along_ground(const Vector3& e, const Moving& a, const Moving& b);
// u (b - a) for a direction u of some body
Row along(const Moving& u, const Moving& a, const Moving& b);
// u w
Row product(const Moving& u, const Moving& w);
// The rate at which b turns against a about a direction: no position.
Row turning(const Motion& motion, const Moving& axis, int a, int b);
// In the plane: angle of a body, which counts turns.
Row angle_of(const Motion& motion, int body, double factor);
Row distance(const Moving& a, const Moving& b, double length);

}  // namespace reference

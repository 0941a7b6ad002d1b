// Constraint rows of joints and drivers, differentiated by hand twice.
#pragma once
#include "mechanism.h"

namespace reference {

struct Row {
  double residual = 0.0;  // of the position level
  bool holonomic = true;  // otherwise only the velocity level counts
  double rate = 0.0;      // the part of the velocity level that does not depend on velocities
  double bias = 0.0;      // second derivative without accelerations: J u' + bias = 0
  struct Part {
    int body;
    Vector6 slope;  // by velocity of the centre and angular velocity
  };
  std::vector<Part> parts;
};

// A point of a body or a direction fixed in it, with its motion at accelerations of zero.
struct Moving {
  int body;
  Vector3 value, rate, second;
  Vector3 arm;  // from the centre of mass; of a direction: itself
};
Moving point_of(const Mechanism& mechanism, const Motion& motion, const Pin& pin);
Moving direction_of(const Motion& motion, const Pin& axis);

std::vector<Row> joint_rows(const Mechanism& mechanism, const Motion& motion, const Element& joint);
Row driver_row(const Mechanism& mechanism, const Motion& motion, const Element& driver);
// The freedom that an actuator acts along.
Row freedom_row(const Mechanism& mechanism, const Motion& motion, const Element& joint);

}  // namespace reference

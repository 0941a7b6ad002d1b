// The motion of a system at one instant.
#pragma once
#include "base/linear/linear.h"

namespace raak {

struct State {
  double t = 0.0;
  Vector q;       // positions
  Vector v;       // velocities q'
  Vector a;       // accelerations q''
  Vector lambda;  // multipliers, position rows first, then velocity rows

  static State of_size(Eigen::Index coordinates, Eigen::Index rows) {
    return {0.0, Vector::Zero(coordinates), Vector::Zero(coordinates), Vector::Zero(coordinates), Vector::Zero(rows)};
  }
};

}  // namespace raak

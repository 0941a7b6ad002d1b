// The pose that comes nearest to satisfying the constraints of a mechanism that cannot be assembled: the least sum of
// squares of g by Levenberg and Marquardt (Nocedal, Wright: Numerical Optimization, 10.3).
#pragma once
#include "system/constrained_system.h"

namespace raak {

Vector nearest_pose(const ConstrainedSystem& system, double t, Vector q);

}  // namespace raak

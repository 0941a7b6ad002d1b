// The rates of a motion through a singular configuration, where the constraints at the level of velocities leave more
// open than the mechanism has: with w'G = 0 for a moment, only velocities with w' d(Gv)/dt = 0, a quadratic equation,
// belong to a motion that goes on (Müller, Higher-order analysis of kinematic singularities, J. Mechanisms Robotics 8,
// 2016).
#pragma once
#include <vector>

#include "system/constrained_system.h"

namespace raak {

// The velocities of the branches through a configuration, some of them where there are many: those of `motion` itself
// where they belong to one, where the configuration is not singular, where too many directions are open, or where there
// is no branch. The last `given` rows of the system are rates that hold.
std::vector<Vector> branch_velocities(const ConstrainedSystem& system, int given, const State& motion);

}  // namespace raak

// A start in a configuration where constraint rows are dependent for a moment. Accelerations there are not determined
// by the index-1 equations, but they have a limit along the motion: the mean of those a little before and after the
// configuration, on the branch that the velocities belong to, extrapolated to it. Multipliers have none: they are
// reported as absent.
#pragma once
#include "system/constrained_system.h"

namespace raak {

// In a configuration where rows are dependent G v' = bias must be solvable: that distinguishes the velocities of a
// branch from others. Throws a computation error, with the joints that would open, where it is not.
void require_branch(const ConstrainedSystem& system, const State& state);

// Fills a with the limit and lambda with not-a-numbers. False: the configurations beside it are as singular, or the
// mechanism is at rest, so that it follows no branch. Throws a computation error where the velocities belong to no
// branch.
bool complete_singular_start(const ConstrainedSystem& system, State& state);

}  // namespace raak

// Positions and velocities of a start: trusted values hold, guesses choose the branch, every row is satisfied.
#pragma once
#include <memory>

#include "mechanism/mechanism_system.h"
#include "system/consistent_start.h"

namespace raak {

// `complete` is the system of all rows of `formulas`. The state is in its coordinates, without accelerations. Throws a
// computation error where there is none (see make_consistent), or where a singular pose leaves two motions.
State find_motion(const std::shared_ptr<const MaximalFormulas>& formulas, const MechanismSystem& complete,
                  const StartRequest& start);

}  // namespace raak

// Multipliers from what accelerations leave of the forces, G' lambda = f - M a: a matter of geometry alone, in which no
// mass is divided by. It serves where G M^-1 G' is of no use, as beside bodies that weigh next to nothing for their
// size.
#pragma once
#include "system/constrained_system.h"

namespace raak {

// From t, q, v and a of the state; not a number in a singular configuration, where they are not determined.
void balance_forces(const ConstrainedSystem& system, State& state);

}  // namespace raak

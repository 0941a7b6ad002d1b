// Bodies so light beside the others that G M^-1 G' has no digits left in double precision: named where accelerations
// were not found.
#pragma once
#include "mechanism/instance.h"

namespace raak {

// Throws the place of the lightest mass where it is too small beside the heaviest.
void check_mass_ratio(const Instance& instance);

}  // namespace raak

// A balance that is off by a share of all the energy that moves shows a wrong motion, whatever the steps' errors
// say.
#pragma once
#include "run/integrate.h"

namespace raak {

void warn_of_energy(const ConstrainedSystem& system, const Plan& plan, Result& result);

}  // namespace raak

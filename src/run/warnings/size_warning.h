// What a run delivers beside what was asked for, in the sizes of the mechanism: absolute tolerances that are large
// beside it, and constraints that are violated by more than the tolerance.
#pragma once
#include "run/integrate.h"

namespace raak {

// Fills the absolute tolerances coordinate by coordinate where lengths have one of their own.
void give_lengths_their_own(const ConstrainedSystem& system, Tolerances& tolerances);

void warn_of_large_atol(const ConstrainedSystem& system, Result& result);
void warn_of_violation(const ConstrainedSystem& system, const Plan& plan, Result& result);

}  // namespace raak

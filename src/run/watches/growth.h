// From which growth on a motion is said to run away. It is compared with what there was at the start, and with what a
// mechanism does anyway, whatever its size and its pace: coordinates change by its size, rates by its size in the time
// that has passed, or by what the accelerations of the start make of it over its size.
#pragma once
#include "run/integrate.h"

namespace raak {

inline constexpr double runs_away = 1e6;  // a cause to name where a run fails
// A run ends here: what the mechanism was at the start is no more than the rounding of what it has become.
inline constexpr double beyond_rounding = 1e15;

// How many times as large as anything that counts as 1 a velocity has become.
double growth_of_velocities(const ConstrainedSystem& system, const State& start, const State& now);
// The same of coordinates and velocities, beyond rounding.
bool has_run_away(const ConstrainedSystem& system, const State& start, const State& now);
// The coordinate whose position, velocity or acceleration has grown most, as the user knows them.
void find_growth(const ConstrainedSystem& system, const State& start, const State& last, Diagnosis& to);

}  // namespace raak

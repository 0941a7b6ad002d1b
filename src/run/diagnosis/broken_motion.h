// Drivers whose prescribed motion jumps, or bends so that its rate does: no finite force follows it. Found where a
// switch is crossed, and, should nothing else have reported it, by constraints that are open at the end of a run.
#pragma once
#include <optional>
#include <vector>

#include "run/integrate.h"

namespace raak {

// `before` and `beyond` are the two sides of a switch, a moment apart.
std::optional<Diagnosis> motion_broken_between(const ConstrainedSystem& system, const State& start, const State& before,
                                               const State& beyond, double step);
// Whether a position row is open by far more than any tolerance leaves, but for those that are `held` by definition.
// `g` takes the rows and allocates once.
bool is_far_open(const ConstrainedSystem& system, const State& state, const std::vector<int>& held, Vector& g);
// The same with what there is to say of it.
std::optional<Diagnosis> open_at_end(const ConstrainedSystem& system, const State& start, const State& end,
                                     double step);

// A row that jumps just behind `last`, as the motion or the measure of a driver does that is an angle of atan2() where
// its branches meet. False: none does.
bool blame_jumping_row(const ConstrainedSystem& system, const State& last, double direction, Diagnosis& found);

}  // namespace raak

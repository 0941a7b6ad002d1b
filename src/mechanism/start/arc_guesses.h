// Configurations in which chains of bodies lie along arcs, for loops that do not close from a line: there every link
// pulls along the others, and Newton's method has no direction in which to bend them. An arc of N links has a chord of
// any length up to theirs, and its heading points it at the pin where it is to end.
#pragma once
#include <functional>
#include <vector>

#include "mechanism/instance.h"
#include "system/state.h"

namespace raak {

// In reported coordinates, those with the smallest gaps first. None where [start] lists how every body lies.
std::vector<Vector> arc_guesses(const Instance& instance, const std::vector<std::string>& velocities,
                                const std::function<double(const Vector&)>& gap);

}  // namespace raak

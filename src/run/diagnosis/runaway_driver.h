// A driver whose own motion has no bounds, as 1/(1 - t) near t = 1: what it drives is right to go with it.
#pragma once
#include <string>

#include "system/constrained_system.h"

namespace raak {

// The driver that asks for a velocity far beyond those of the run so far; empty: there is none.
std::string runaway_driver(const ConstrainedSystem& system, const State& start, const State& last);

}  // namespace raak

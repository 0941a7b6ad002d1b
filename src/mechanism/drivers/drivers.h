// Drivers prescribe a coordinate, a distance or the displacement of a joint as a formula of time.
#pragma once
#include "mechanism/element.h"

namespace raak {

// The keys of a driver; exactly one of coordinate, distance and displacement is given.
const ElementInfo& driver_info();

// "m" or "rad"; empty where a formula is driven.
std::string unit_of_driver(const Instance& instance, const Element& driver);

// What is driven minus the motion, m or rad.
Real driver_row(const ElementScene& driver);

}  // namespace raak

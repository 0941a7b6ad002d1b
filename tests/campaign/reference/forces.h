// Applied forces of the reference.
#pragma once
#include "mechanism.h"

namespace reference {

// Force and moment about the centre of mass of every body, 6 numbers each: gravity, elements, and the gyroscopic
// moment.
Vector applied(const Mechanism& mechanism, const Motion& motion);

// What the angle of an element that counts turns has as its rate, rad/s.
double counted_rate(const Motion& motion, const Element& element);

}  // namespace reference

// Springs whose ends a joint keeps together: their force has no direction, and rounding would choose one.
#pragma once
#include "mechanism/instance.h"

namespace raak {

// Refuses them with their place. One of no length at rest, without damping and pull, never pulls: it may stay.
void require_springs_with_direction(const Instance& instance);

}  // namespace raak

// The angles that forces of a mechanism in space read from rotations, as a gauge of the system that is solved.
#pragma once
#include <memory>
#include <vector>

#include "mechanism/instance.h"
#include "system/turn_gauge.h"

namespace raak {

// Of a system in the coordinates of the instance, or in those of them that are listed. Null: no force reads such
// angles.
std::shared_ptr<const TurnGauge> make_turn_gauge(const Instance& instance,
                                                 const std::vector<int>* coordinates = nullptr);

}  // namespace raak

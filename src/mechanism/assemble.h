// From a mechanism with its parameters set to a model that can be integrated: first guess, consistent configuration,
// choice of independent constraint rows, system.
#pragma once
#include <memory>

#include "kinematics/model.h"
#include "mechanism/instance.h"

namespace raak {

// In which coordinates the equations are solved, and how; results are the same up to rounding. Automatic: those of the
// fewest operations in code recorded for the mechanism, or, for many bodies, maximal ones evaluated element by element.
enum class Coordinates { automatic, maximal, tree, element_by_element };

Model assemble(const std::shared_ptr<const Instance>& instance, Coordinates coordinates = Coordinates::automatic);

}  // namespace raak

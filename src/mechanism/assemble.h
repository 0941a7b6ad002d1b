// From a mechanism with its parameters set to a model that can be integrated: first guess, consistent pose, choice of
// independent constraint rows, system.
#pragma once
#include <memory>

#include "mechanism/instance.h"
#include "system/model.h"

namespace raak {

// In which coordinates the equations are solved; results are the same up to rounding. Automatic: the one with fewer
// operations.
enum class Coordinates { automatic, maximal, tree };

Model assemble(std::shared_ptr<const Instance> instance, Coordinates coordinates = Coordinates::automatic);

}  // namespace raak

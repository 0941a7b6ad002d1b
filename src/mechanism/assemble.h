// From a mechanism with its parameters set to a model that can be integrated: first guess, consistent pose, choice of
// independent constraint rows, system.
#pragma once
#include <memory>

#include "mechanism/instance.h"
#include "system/model.h"

namespace raak {

Model assemble(std::shared_ptr<const Instance> instance);

}  // namespace raak

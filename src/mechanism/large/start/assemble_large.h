// Assembly of a mechanism of many bodies: everything in the order of its size. The start by Newton's method with sparse
// factors, dependent rows by vanishing pivots.
#pragma once
#include <memory>

#include "kinematics/model.h"
#include "mechanism/instance.h"

namespace raak {

// Its start alone, without accelerations.
State start_of_large(const std::shared_ptr<const Instance>& instance);

Model assemble_large(const std::shared_ptr<const Instance>& instance);

}  // namespace raak

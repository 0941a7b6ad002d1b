// Starts of a mechanism on the slow manifold of its stiff parts: [start] smooth of a model file.
#pragma once
#include <memory>

#include "kinematics/model.h"
#include "mechanism/instance.h"

namespace raak {

// Makes every start of the model smooth where the mechanism asks for it; a start without a slow manifold is refused
// when it is asked for.
void start_smoothly(const Instance& instance, Model& model);

}  // namespace raak

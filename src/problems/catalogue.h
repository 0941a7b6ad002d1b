// The benchmark problems of the literature, written as equations.
#pragma once
#include <vector>

#include "kinematics/model.h"

namespace raak {

const std::vector<ModelSource>& problem_catalogue();

}  // namespace raak

// The benchmark problems of the literature, written as equations.
#pragma once
#include <vector>

#include "system/model.h"

namespace raak {

const std::vector<ModelSource>& problem_catalogue();

}  // namespace raak

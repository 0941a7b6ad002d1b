// Says so where a motion multiplies errors so much that the digits asked for cannot be had (error_growth.h).
#pragma once
#include "run/integrate.h"

namespace raak {

void warn_of_sensitivity(const ConstrainedSystem& system, Result& result);

}  // namespace raak

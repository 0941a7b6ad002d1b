// What a run reports beside its results: steps that were refused or are very many, and what the results are
// worth.
#pragma once
#include "run/integrate.h"

namespace raak {

void warn_of_run(const ConstrainedSystem& system, const MethodInfo& method, const Plan& plan, Result& result);

}  // namespace raak

// Says in words why an integration could not go on, where, and what to try.
#pragma once
#include <string>

#include "run/integrate.h"

namespace raak {

std::string explain_small_step(const ConstrainedSystem& system, const State& start, const State& last, const Plan& plan,
                               double step, const char* trouble);
std::string explain_open_row(const RowGap& gap, double t);
std::string explain_budget(const MethodInfo& method, const State& last, const Plan& plan, double step, long budget);

}  // namespace raak

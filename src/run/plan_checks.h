// What can be said of a plan before its first step: what is refused, and what is used of it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "methods/method.h"
#include "run/integrate.h"

namespace raak {

// Sizes, numbers and times, and that the constraints hold at the start.
void require_plan(const ConstrainedSystem& system, const State& start, const Plan& plan);
// Below it a step from t is lost in the rounding of the time, s.
double shortest_step(double t, double span);
// The method asked for, or another in the place of one that chooses independent coordinates where there is no choice:
// with velocity rows, or of very many coordinates.
const MethodInfo& serving_method(const ConstrainedSystem& system, const MethodInfo& asked);
std::string stand_in_warning(const ConstrainedSystem& system, const std::string& asked, const std::string& used);
void require_usable_step(double fixed_step, double span, long budget);
// Refuses what cannot be integrated and lifts what double cannot hold.
Tolerances usable(const MethodInfo& method, Tolerances tolerances, std::vector<Note>& notes);
Form usable_form(const MethodInfo& method, std::optional<Form> form);
// Steps, accepted or not, after which the run is given up.
long budget_of(const MethodInfo& method, const Plan& plan);

}  // namespace raak

// From what is asked of a model, by a file, on the command line or in a call, to the plan of its run.
#pragma once
#include <string>
#include <vector>

#include "kinematics/model.h"
#include "run/integrate.h"

namespace raak {

// The method of a run: its own, or the default.
const std::string& method_of(const Run& run);

// Evenly spaced from start to until, both included; decimal multiples where the spacing is decimal. `asked`: as the
// user wrote it, for the message that refuses too many.
std::vector<double> times_every(const std::string& asked, double spacing, double start, double until);
// In the direction of the run, each once. Refuses a time outside, in words that begin with `asked`.
std::vector<double> times_at(const std::string& asked, std::vector<double> times, double start, double until);

// What the run of a model looks out for.
std::vector<Event> events_of(const Model& model);

// Until, method, form, tolerances, steps, samples and events; what only the caller knows is left as it is.
Plan plan_of(const Run& run, const Model& model);

}  // namespace raak

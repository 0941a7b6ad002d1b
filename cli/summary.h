// The account of a run that a person reads on the terminal.
#pragma once
#include <string>

#include "cli/chosen_model.h"
#include "output/json.h"
#include "run/integrate.h"

namespace raak::cli {

std::string summarize(const ChosenModel& chosen, const RunRecord& record, double until, const Result& result);

// What a system reports of a state, with positions and velocities; long lists are cut after a screenful.
std::string coordinate_table(const ConstrainedSystem& system, const State& state);

}  // namespace raak::cli

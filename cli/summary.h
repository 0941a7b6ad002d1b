// The account of a run that a person reads on the terminal.
#pragma once
#include <cstddef>
#include <string>

#include "cli/chosen_model.h"
#include "output/formats/json.h"
#include "run/integrate.h"

namespace raak::cli {

// Fits one screen of 24 lines and 80 columns, of which `lines_beside` are taken by warnings and such.
std::string summarize(const ChosenModel& chosen, const RunRecord& record, double until, const Result& result,
                      std::size_t lines_beside);

// Lines that a text takes on a screen of 80 columns.
std::size_t screen_lines_of(const std::string& text);

}  // namespace raak::cli

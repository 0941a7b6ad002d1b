// What `raak run` is asked for, read from its options.
#pragma once
#include "cli/commands/commands.h"
#include "cli/request/chosen_model.h"
#include "output/catalogue.h"
#include "run/integrate.h"

namespace raak::cli {

inline constexpr long default_frames = 500;

// Refuses a method that there is not, and files that the method, the machine or the want of a folder forbid.
void check_request(const RunOptions& options, const std::string& method);

// The formats of --format, with h5 for --hdf5.
Formats read_formats(const RunOptions& options);

Plan make_plan(const RunOptions& options, const ChosenModel& chosen);

}  // namespace raak::cli

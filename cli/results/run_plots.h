// The pictures of `raak run --plot`, and the columns of --columns.
#pragma once
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "output/folder/run_files.h"
#include "output/formats/json.h"
#include "system/constrained_system.h"

namespace raak::cli {

// Known before the run, so that a wrong name costs no time.
std::vector<std::string> read_plots(const RunOptions& options, const ConstrainedSystem& system);

// The columns of the tables after t; none: all.
std::vector<std::string> read_columns(const RunOptions& options, const ConstrainedSystem& system);

RunFiles::Pictures draw_plots(const std::vector<std::string>& names, const std::string& model,
                              const Recording& recording);

// A picture without a curve needs a word: which multipliers have no value at all, and why. Outputs have a warning of
// their own.
std::vector<std::string> empty_plots(const std::vector<std::string>& names, const Recording& recording,
                                     const Json& reactions);

}  // namespace raak::cli

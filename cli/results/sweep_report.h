// What a sweep has come to: its files, and what is printed of it.
#pragma once
#include <filesystem>
#include <string>

#include "cli/commands/commands.h"
#include "study/sweep/run_sweep.h"
#include "study/sweep/store/sweep_results.h"

namespace raak::cli {

// summary.json, sweep.html and, of not too many cases, cases.csv in the folder; returns the document.
Json write_summary(const SweepResults& results, bool exact, bool quiet);
std::filesystem::path page_path(const SweepFolder& folder);
void print_summary(const Json& summary, const std::string& head);

// After the last block of this call: the summary, if all blocks are there to be summed up. Returns the exit code.
int report_sweep(const SweptModel& swept, const SweepFolder& folder, const SweepOptions& options,
                 const SweepProgress& progress, double seconds);

}  // namespace raak::cli

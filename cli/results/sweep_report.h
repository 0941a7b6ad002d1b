// What a sweep has come to: its files, and what is printed of it.
#pragma once
#include <filesystem>
#include <string>

#include "cli/commands/commands.h"
#include "study/sweep/run_sweep.h"
#include "study/sweep/store/sweep_results.h"

namespace raak::cli {

// Writes the files of a sweep that is done, and says what a reader of them should know; returns the summary. Once
// `stop` is set the page shows no more cases in motion.
Json write_summary(const SweepResults& results, const SweepFolder& folder, bool exact, bool quiet,
                   const std::atomic<bool>* stop = nullptr);
void print_summary(const Json& summary, const std::string& head);

// After the last block of this call: the summary, if all blocks are there to be summed up. Returns the exit code.
int report_sweep(const SweptModel& swept, const SweepFolder& folder, const SweepOptions& options,
                 const SweepProgress& progress, double seconds, const std::atomic<bool>& stop);

}  // namespace raak::cli

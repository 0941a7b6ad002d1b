// What a sweep that is done leaves in its folder beside its blocks.
#pragma once
#include <atomic>
#include <filesystem>

#include "output/formats/json.h"
#include "study/sweep/store/sweep_folder.h"
#include "study/sweep/store/sweep_results.h"

namespace raak {

std::filesystem::path page_path(const SweepFolder& folder);

// summary.json, sweep.html and, of not too many cases, cases.csv; returns the summary. Once `stop` is set the page
// shows no more cases in motion.
Json write_sweep_files(const SweepResults& results, const SweepFolder& folder, bool exact,
                       const std::atomic<bool>* stop = nullptr);

}  // namespace raak

// sweep.html: the rows of a sweep as scatter, parallel coordinates, histograms and a map of what failed, beside the
// mechanism of some cases in motion.
#pragma once
#include <atomic>
#include <string>

#include "study/sweep/store/sweep_results.h"

namespace raak {

// Of very many cases every so many-th is shown. Empty in a program without the web part. `summary`: summary.json. Once
// `stop` is set, no more cases are run to be shown in motion.
std::string sweep_page(const SweepResults& results, const Json& summary, bool exact,
                       const std::atomic<bool>* stop = nullptr);

}  // namespace raak

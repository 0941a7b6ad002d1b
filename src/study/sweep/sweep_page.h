// sweep.html: the rows of a sweep as scatter, parallel coordinates, histograms and a map of what failed, beside the
// mechanism of some cases in motion.
#pragma once
#include <string>

#include "study/sweep/store/sweep_results.h"

namespace raak {

// Of very many cases every so many-th is shown. Empty in a program without the web part. `summary`: summary.json.
std::string sweep_page(const SweepResults& results, const Json& summary, bool exact);

}  // namespace raak

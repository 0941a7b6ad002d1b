// The page of a bench: everything in one HTML file that needs nothing else.
#pragma once
#include <string>
#include <vector>

#include "study/bench/bench_report.h"

namespace raak {

std::string bench_page(const BenchReport& report, const std::vector<BenchChapter>& chapters);

}  // namespace raak

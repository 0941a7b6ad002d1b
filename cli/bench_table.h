// A bench in plain text: every run of a model, then what each method charges for 3, 5, 8 and 10 digits.
#pragma once
#include <string>
#include <vector>

#include "study/bench.h"

namespace raak::cli {

std::string bench_table(const ModelSource& model, const std::vector<BenchRow>& rows, std::size_t room);

}  // namespace raak::cli

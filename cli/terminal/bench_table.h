// A bench in plain text: the runs of a model, then what each method charges for 3, 5, 8 and 10 digits or for a drift.
#pragma once
#include <string>
#include <vector>

#include "study/bench/bench_report.h"

namespace raak::cli {

std::string bench_table(const ModelSource& model, const std::vector<BenchRow>& rows, std::size_t room);

// Of a report about one model: the table of its document, printed rows first, in the columns of the document.
std::string printed_text(const BenchReport& report, std::size_t room);
// Of a report about one model: the cheapest run of each method that keeps the limit of the energy drift.
std::string drift_text(const BenchReport& report, std::size_t room);

}  // namespace raak::cli

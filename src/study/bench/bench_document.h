// Rows of a bench as JSON and back: what `raak bench --json` prints and what the programs in benchmarks/ hand over.
#pragma once
#include <string>
#include <vector>

#include "output/formats/json.h"
#include "study/bench/bench.h"

namespace raak {

Json bench_document(const std::vector<BenchRow>& rows);

// Throws a computation error when the text is no such document.
std::vector<BenchRow> read_bench_document(const std::string& text);

}  // namespace raak

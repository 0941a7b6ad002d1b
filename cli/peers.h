// The other codes of `raak bench --peers`: a program of its own, so that nothing of theirs is linked into raak.
#pragma once
#include <string>
#include <vector>

#include "study/bench.h"

namespace raak::cli {

// The path of raak_peers beside the running program; refuses with the way to get it.
std::string find_peers();

// Its rows for one model on the request's tolerances. What goes wrong is a row with the reason.
std::vector<BenchRow> run_peers(const std::string& program, const ModelSource& model, const BenchRequest& request);

}  // namespace raak::cli

// The other codes of `raak bench --peers`: a program of its own, so that nothing of theirs is linked into raak.
#pragma once
#include <string>
#include <vector>

#include "study/bench/bench.h"

namespace raak::cli {

// The path of raak_peers beside the running program; refuses with the way to get it.
std::string find_peers();

// Their names, which --methods may hold beside those of methods when there are peers.
const std::vector<std::string>& peer_names();

// Its rows for one model on the request's tolerances, forms and first step. What goes wrong is a row with the reason.
// `names`: those that were chosen; none: all of them.
std::vector<BenchRow> run_peers(const std::string& program, const ModelSource& model, const BenchRequest& request,
                                const std::vector<std::string>& names);

}  // namespace raak::cli

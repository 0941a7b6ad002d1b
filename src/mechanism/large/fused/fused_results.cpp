#include "mechanism/large/fused/fused_results.h"

#include <algorithm>

namespace raak {

// Outputs are numbered as they come: what is not written between them has no number that could be skipped.
void FusedResults::write_to(Tape& tape, FusedRecipe& recipe) {
  std::sort(found_.begin(), found_.end(), [](const Result& x, const Result& y) {
    return std::pair(x.cluster, x.number) < std::pair(y.cluster, y.number);
  });
  int cluster = -1;
  int next = -1;
  for (const Result& result : found_) {
    const bool goes_on = !recipe.results.empty() && cluster == result.cluster && result.number == next;
    if (!goes_on) {
      recipe.results.push_back(result.cluster);
      recipe.result_offsets.push_back(result.number);
    }
    cluster = result.cluster;
    next = result.number + 1;
    tape.add_output(static_cast<int>(recipe.results.size()), result.value);
  }
  recipe.kernel.results = static_cast<int>(recipe.results.size());
}

}  // namespace raak

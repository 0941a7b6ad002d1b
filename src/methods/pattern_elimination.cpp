#include "methods/pattern_elimination.h"

#include <algorithm>
#include <utility>

#include "base/block_elimination.h"

namespace raak {

PatternElimination::PatternElimination(std::vector<std::vector<int>> neighbours, const std::vector<char>& early) {
  const std::size_t size = neighbours.size();
  const BlockPlan plan = plan_elimination(std::vector<int>(size, 1), std::move(neighbours), early);
  node_of_ = plan.node_of;
  std::vector<std::vector<int>> lower(size), upper(size);
  for (std::size_t j = 0; j < size; ++j) {
    upper[j].assign(plan.target.begin() + plan.first[j], plan.target.begin() + plan.first[j + 1]);
    std::sort(upper[j].begin(), upper[j].end());
    for (const int i : upper[j]) lower[static_cast<std::size_t>(i)].push_back(static_cast<int>(j));
  }
  for (std::size_t i = 0; i < size; ++i) {
    const auto below = static_cast<int>(lower[i].size()), beyond = static_cast<int>(upper[i].size());
    rows_.push_back({static_cast<int>(columns_.size()), below + 1 + beyond, below, plan.block_of[i]});
    columns_.insert(columns_.end(), lower[i].begin(), lower[i].end());
    columns_.push_back(static_cast<int>(i));
    columns_.insert(columns_.end(), upper[i].begin(), upper[i].end());
    factor_products_ += static_cast<double>(beyond) * (1.0 + beyond);
  }
  numbers_ = columns_.size();
}

std::size_t PatternElimination::place(int row, int column) const {
  const Row& found = rows_[static_cast<std::size_t>(node_of_[static_cast<std::size_t>(row)])];
  const auto begin = columns_.begin() + found.begin;
  const auto at =
      std::lower_bound(begin, begin + found.length, node_of_[static_cast<std::size_t>(column)]) - columns_.begin();
  return static_cast<std::size_t>(at);
}

}  // namespace raak

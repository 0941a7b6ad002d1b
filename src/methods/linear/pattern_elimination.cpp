#include "methods/linear/pattern_elimination.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace raak {

// Minimum degree: next is the unknown with the fewest neighbours left, and what is eliminated joins them to each other.
PatternElimination::PatternElimination(std::vector<std::vector<int>> neighbours, const std::vector<char>& early) {
  const std::size_t size = neighbours.size();
  std::vector<int> waits(size, 0), order;
  for (std::size_t i = 0; i < size; ++i)
    for (const int j : neighbours[i])
      if (early[i] == 0 && early[static_cast<std::size_t>(j)] != 0) ++waits[i];
  const std::vector<std::vector<int>> tied = neighbours;
  std::vector<std::vector<int>> upper(size), lower(size);  // by node
  std::vector<char> done(size, 0);
  std::vector<int> joined;
  node_of_.resize(size);
  for (std::size_t node = 0; node < size; ++node) {
    std::size_t next = size;
    for (std::size_t i = 0; i < size; ++i) {
      if (done[i] != 0 || waits[i] > 0) continue;
      if (next == size || neighbours[i].size() < neighbours[next].size()) next = i;
    }
    done[next] = 1;
    order.push_back(static_cast<int>(next));
    node_of_[next] = static_cast<int>(node);
    for (const int i : tied[next])
      if (early[next] != 0 && early[static_cast<std::size_t>(i)] == 0) --waits[static_cast<std::size_t>(i)];
    const std::vector<int> left = std::move(neighbours[next]);
    upper[node] = left;
    for (const int i : left) {
      std::vector<int>& list = neighbours[static_cast<std::size_t>(i)];
      joined.clear();
      std::set_union(list.begin(), list.end(), left.begin(), left.end(), std::back_inserter(joined));
      std::erase_if(joined, [&](int j) { return j == i || j == static_cast<int>(next); });
      list = joined;
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (int& j : upper[i]) j = node_of_[static_cast<std::size_t>(j)];
    std::sort(upper[i].begin(), upper[i].end());
    for (const int j : upper[i]) lower[static_cast<std::size_t>(j)].push_back(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < size; ++i) {
    const auto below = static_cast<int>(lower[i].size()), beyond = static_cast<int>(upper[i].size());
    rows_.push_back({static_cast<int>(columns_.size()), below + 1 + beyond, below, order[i]});
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

#include "base/linear/block_elimination.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/linear/block_kernels.h"
#include "base/linear/index.h"

namespace raak {
namespace {

struct RankPivot {
  static constexpr bool keeps_all_rows = false;
  int node;
  double threshold;
  std::vector<SkippedRow>& skipped;
  double inverse(int row, double pivot, double original) const {
    if (pivot > threshold * original) return 1.0 / pivot;
    skipped.push_back({node, row});
    return 0.0;
  }
  void note(double) const {}
};

struct GivenPivot {
  static constexpr bool keeps_all_rows = false;
  const int* rows;
  const std::vector<char>& leaves_out;
  double share;
  double inverse(int row, double pivot, double original) const {
    return leaves_out[z(rows[row])] != 0 ? 0.0 : 1.0 / (pivot + share * original);
  }
  void note(double) const {}
};

// An early block may wait until just before the first of those that its elimination changes: what is used together is
// then done together. Not where early blocks change each other.
void delay_early(std::vector<int>& order, std::vector<std::vector<int>>& columns, const std::vector<char>& early) {
  const std::size_t n = order.size();
  std::vector<std::size_t> place(n);
  for (std::size_t k = 0; k < n; ++k) place[z(order[k])] = k;
  std::vector<std::pair<std::size_t, std::size_t>>
      when;  // twice the place it waits for, plus one if it is its own; the place it had
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t first = early[z(order[k])] != 0 ? n : k;
    for (const int a : columns[k]) {
      if (early[z(order[k])] == 0) break;
      if (early[z(a)] != 0) return;
      first = std::min(first, place[z(a)]);
    }
    when.emplace_back(2 * first + (first == k ? 1 : 0), k);
  }
  std::sort(when.begin(), when.end());
  std::vector<int> new_order;
  std::vector<std::vector<int>> new_columns;
  for (const auto& [time, k] : when) {
    new_order.push_back(order[k]);
    new_columns.push_back(std::move(columns[k]));
  }
  order = std::move(new_order);
  columns = std::move(new_columns);
}

}  // namespace

int BlockPlan::find(int p, int q) const {
  const auto begin = target.begin() + first[at(q)];
  const auto end = target.begin() + first[at(q) + 1];
  return static_cast<int>(std::lower_bound(begin, end, p) - target.begin());
}

BlockPlan plan_elimination(const std::vector<int>& rows, std::vector<std::vector<int>> neighbours,
                           const std::vector<char>& early) {
  const auto n = static_cast<int>(rows.size());
  BlockPlan plan;
  plan.node_of.assign(z(n), -1);
  std::vector<int>& order = plan.block_of;
  std::vector<std::vector<int>> columns;
  // (degree, block): early blocks before all others.
  std::set<std::pair<int, int>> waiting;
  const auto key = [&](int i) {
    return std::pair{static_cast<int>(neighbours[z(i)].size()) + (early[z(i)] != 0 ? 0 : 1 << 28), i};
  };
  for (int i = 0; i < n; ++i) {
    std::sort(neighbours[z(i)].begin(), neighbours[z(i)].end());
    waiting.insert(key(i));
  }
  bool from_the_end = false;
  std::vector<int> merged;
  while (!waiting.empty()) {
    // Of the smallest degree in turn the first and the last block: two fronts that do not wait for each other.
    auto chosen = waiting.begin();
    if (from_the_end) chosen = std::prev(waiting.lower_bound({waiting.begin()->first + 1, -1}));
    from_the_end = !from_the_end;
    const int j = chosen->second;
    waiting.erase(chosen);
    order.push_back(j);
    const std::vector<int> near = std::move(neighbours[z(j)]);
    for (const int a : near) {
      waiting.erase(key(a));
      merged.clear();
      std::set_union(neighbours[z(a)].begin(), neighbours[z(a)].end(), near.begin(), near.end(),
                     std::back_inserter(merged));
      merged.erase(std::remove_if(merged.begin(), merged.end(), [&](int b) { return b == a || b == j; }), merged.end());
      neighbours[z(a)] = merged;
      waiting.insert(key(a));
    }
    columns.push_back(near);
  }
  delay_early(order, columns, early);
  for (int k = 0; k < n; ++k) plan.node_of[z(order[z(k)])] = k;
  plan.first = {0};
  for (int k = 0; k < n; ++k) {
    const int r = rows[z(order[z(k)])];
    plan.rows.push_back(r);
    std::vector<int>& column = columns[z(k)];
    for (int& a : column) a = plan.node_of[z(a)];
    std::sort(column.begin(), column.end());
    for (const int a : column) {
      plan.target.push_back(a);
      plan.block.push_back(plan.blocks_size);
      plan.blocks_size += rows[z(order[z(a)])] * r;
    }
    plan.first.push_back(static_cast<int>(plan.target.size()));
  }
  return plan;
}

void write_stream(BlockPlan& plan) {
  plan.stream.clear();
  plan.stream_at.clear();
  for (int j = 0; j < plan.nodes(); ++j) {
    plan.stream_at.push_back(static_cast<int>(plan.stream.size()));
    const int begin = plan.first[z(j)];
    const int end = plan.first[z(j) + 1];
    const int r = plan.rows[z(j)];
    const auto rows_of = [&](int p) { return plan.rows[z(plan.target[z(p)])]; };
    bool uniform = true;
    for (int p = begin; p < end; ++p) uniform = uniform && rows_of(p) == r;
    plan.stream.insert(plan.stream.end(), {r, uniform ? 1 : 0, plan.front[z(j)], end - begin});
    for (int p = begin; p < end; ++p)
      plan.stream.insert(plan.stream.end(), {plan.block[z(p)], rows_of(p), plan.front[z(plan.target[z(p)])]});
    for (int p = begin + 1; p < end; ++p)
      for (int q = begin; q < p; ++q)
        plan.stream.push_back(plan.block[z(plan.find(plan.target[z(p)], plan.target[z(q)]))]);
  }
}

void eliminate_dependent(const BlockPlan& plan, int j, double* fronts, double* blocks, double threshold,
                         std::vector<SkippedRow>& skipped) {
  blocks::eliminate_sized<0, 0>(plan.stream.data() + plan.stream_at[z(j)], fronts, blocks,
                                RankPivot{j, threshold, skipped});
}

void eliminate_without(const BlockPlan& plan, int j, double* fronts, double* blocks, const int* rows,
                       const std::vector<char>& leaves_out, double share) {
  blocks::eliminate_sized<0, 0>(plan.stream.data() + plan.stream_at[z(j)], fronts, blocks,
                                GivenPivot{rows, leaves_out, share});
}

void forward(const BlockPlan& plan, int j, double* fronts, const double* values) {
  blocks::forward(plan.stream.data() + plan.stream_at[z(j)], fronts, values);
}

}  // namespace raak

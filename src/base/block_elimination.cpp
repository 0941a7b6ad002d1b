#include "base/block_elimination.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/machine.h"

namespace raak {
namespace {

constexpr int unrolled = 6;  // block sizes up to this have code of their own

constexpr std::size_t z(int i) {
  return static_cast<std::size_t>(i);
}
constexpr int packed(int i, int j) {
  return i * (i + 1) / 2 + j;
}

// Memory of a node: on the stack where its size is known, else of the thread.
template <int R, class Number>
struct Scratch {
  explicit Scratch(int) {}
  Number* data() { return memory.data(); }
  std::array<Number, z(3 * R * R + R)> memory;
};
template <class Number>
struct Scratch<0, Number> {
  explicit Scratch(int r) { memory().resize(z(3 * r * r + r)); }
  Number* data() { return memory().data(); }
  static std::vector<Number>& memory() {
    thread_local std::vector<Number> kept;
    return kept;
  }
};

struct PlainPivot {
  template <class Number>
  RAAK_INLINE Number inverse(int, const Number& pivot, const Number&) const {
    return Number(1.0) / pivot;
  }
};
struct RankPivot {
  int node;
  double threshold;
  std::vector<SkippedRow>& skipped;
  double inverse(int row, double pivot, double original) const {
    if (pivot > threshold * original) return 1.0 / pivot;
    skipped.push_back({node, row});
    return 0.0;
  }
};

// The packed lower half of a symmetric matrix becomes that of its inverse: A = L D L', A^-1 = X' D^-1 X with X = L^-1.
template <int R_, class Number, class Pivot>
RAAK_INLINE void invert(Number* A, const Number* original, int r, Number* work, const Pivot& pivot) {
  const int R = R_ > 0 ? R_ : r;
  if constexpr (R_ == 1) {
    A[0] = pivot.inverse(0, A[0], original[0]);
    return;
  }
  if constexpr (R_ == 2 && std::is_same_v<Pivot, PlainPivot>) {
    const Number scale = Number(1.0) / (A[0] * A[2] - A[1] * A[1]);
    const Number a = A[0];
    A[0] = A[2] * scale;
    A[1] = -(A[1] * scale);
    A[2] = a * scale;
    return;
  }
  Number* const L = work;
  Number* const X = work + R * R;
  Number* const d = work + 2 * R * R;
  for (int i = 0; i < R; ++i) {
    for (int j = 0; j <= i; ++j) {
      Number sum = A[packed(i, j)];
      for (int k = 0; k < j; ++k) sum -= X[i * R + k] * L[j * R + k];
      if (j == i) d[i] = pivot.inverse(i, sum, original[i]);
      else X[i * R + j] = sum, L[i * R + j] = sum * d[j];  // X holds L D for now
    }
  }
  for (int i = 0; i < R; ++i) {
    for (int j = 0; j < i; ++j) {
      Number sum = L[i * R + j];
      for (int k = j + 1; k < i; ++k) sum += L[i * R + k] * X[k * R + j];
      X[i * R + j] = -sum;
    }
    X[i * R + i] = Number(1.0);
  }
  for (int a = 0; a < R; ++a)
    for (int b = 0; b <= a; ++b) {
      Number sum = X[a * R + b] * d[a];
      for (int i = a + 1; i < R; ++i) sum += X[i * R + a] * X[i * R + b] * d[i];
      A[packed(a, b)] = sum;
    }
}

// The larger one; a share that is not positive tells that rounding has eaten the pivot.
constexpr double lost = 1e300;
RAAK_INLINE double larger(double a, double share) {
  return !(share > 0.0) ? lost : a > share ? a : share;
}
RAAK_INLINE Pack larger(const Pack& a, const Pack& share) {
  return max(a, Pack(share.x > Pack(0.0).x ? share.x : Pack(lost).x));
}

template <int R_, class Number, class Pivot>
RAAK_INLINE void eliminate_node(const BlockPlan& plan, int j, Number* fronts, Number* blocks, Number& largest,
                                const Pivot& pivot) {
  const int R = R_ > 0 ? R_ : plan.rows[z(j)];
  Scratch<R_, Number> scratch(R);
  Number* const D = fronts + plan.front[z(j)];
  const Number* const original = D + R * (R + 1) / 2;
  const Number* const b = original + R;
  invert<R_>(D, original, R, scratch.data(), pivot);
  for (int k = 0; k < R; ++k) {
    const Number share = original[k] * D[packed(k, k)];
    largest = larger(largest, share);
  }
  Number* const w = scratch.data();
  const int begin = plan.first[z(j)];
  const int count = plan.first[z(j) + 1] - begin;
  const int* update = plan.update.data() + plan.first_update[z(j)];
  for (int p = 0; p < count; ++p) {
    const Number* const A = blocks + plan.block[z(begin + p)];
    const int target = plan.target[z(begin + p)];
    const int s = plan.rows[z(target)];
    Number* const Dp = fronts + plan.front[z(target)];
    Number* const bp = Dp + s * (s + 1) / 2 + s;
    for (int i = 0; i < s; ++i) {
      for (int k = 0; k < R; ++k) {
        Number sum = A[i * R] * D[packed(k, 0)];
        for (int l = 1; l < R; ++l) sum += A[i * R + l] * D[l <= k ? packed(k, l) : packed(l, k)];
        w[k] = sum;
      }
      Number change = w[0] * b[0];
      for (int k = 1; k < R; ++k) change += w[k] * b[k];
      bp[i] -= change;
      for (int m = 0; m <= i; ++m) {
        Number product = w[0] * A[m * R];
        for (int k = 1; k < R; ++k) product += w[k] * A[m * R + k];
        Dp[packed(i, m)] -= product;
      }
      for (int q = 0; q < p; ++q) {
        const Number* const B = blocks + plan.block[z(begin + q)];
        const int sq = plan.rows[z(plan.target[z(begin + q)])];
        Number* const T = blocks + update[q] + i * sq;
        for (int m = 0; m < sq; ++m) {
          Number product = w[0] * B[m * R];
          for (int k = 1; k < R; ++k) product += w[k] * B[m * R + k];
          T[m] -= product;
        }
      }
    }
    update += p;
  }
}

template <int R_, class Number>
RAAK_INLINE void backward_node(const BlockPlan& plan, int j, Number* fronts, const Number* blocks) {
  const int R = R_ > 0 ? R_ : plan.rows[z(j)];
  Scratch<R_, Number> scratch(R);
  Number* const y = scratch.data();
  Number* const D = fronts + plan.front[z(j)];
  Number* const b = D + R * (R + 1) / 2 + R;
  for (int k = 0; k < R; ++k) y[k] = b[k];
  for (int p = plan.first[z(j)]; p < plan.first[z(j) + 1]; ++p) {
    const Number* const A = blocks + plan.block[z(p)];
    const int s = plan.rows[z(plan.target[z(p)])];
    const Number* const x = fronts + plan.front[z(plan.target[z(p)])] + s * (s + 1) / 2 + s;
    for (int i = 0; i < s; ++i)
      for (int k = 0; k < R; ++k) y[k] -= A[i * R + k] * x[i];
  }
  for (int k = 0; k < R; ++k) {
    Number sum = y[0] * D[packed(k, 0)];
    for (int l = 1; l < R; ++l) sum += y[l] * D[l <= k ? packed(k, l) : packed(l, k)];
    b[k] = sum;
  }
}

// Calls f with the number of rows as a constant where it is small, else with 0.
template <class F>
RAAK_INLINE void with_size(int rows, F&& f) {
  switch (rows) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 5:
      return f(std::integral_constant<int, 5>{});
    case unrolled:
      return f(std::integral_constant<int, unrolled>{});
    default:
      return f(std::integral_constant<int, 0>{});
  }
}

// In lanes, compiled for any x86-64 and for AVX2.
#define RAAK_LANE_FORMULA __attribute__((always_inline))
template <class F>
[[gnu::target("avx2,fma"), gnu::flatten, gnu::noinline]] void in_wide_lanes(F f) {
  f();
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
    plan.node_of[z(j)] = static_cast<int>(order.size());
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
  plan.first = plan.first_update = {0};
  for (int k = 0; k < n; ++k) {
    const int r = rows[z(order[z(k)])];
    plan.rows.push_back(r);
    plan.most_rows = std::max(plan.most_rows, r);
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
  for (int k = 0; k < n; ++k) {
    const std::vector<int>& column = columns[z(k)];
    for (std::size_t p = 1; p < column.size(); ++p)
      for (std::size_t q = 0; q < p; ++q) plan.update.push_back(plan.block[z(plan.find(column[p], column[q]))]);
    plan.first_update.push_back(static_cast<int>(plan.update.size()));
  }
  return plan;
}

void eliminate(const BlockPlan& plan, int j, double* fronts, double* blocks, double& largest) {
  with_size(plan.rows[z(j)], [&](auto r) { eliminate_node<r()>(plan, j, fronts, blocks, largest, PlainPivot{}); });
}

void eliminate(const BlockPlan& plan, int j, Pack* fronts, Pack* blocks, Pack& largest) {
  const auto all = [&]() RAAK_LANE_FORMULA {
    with_size(plan.rows[z(j)], [&](auto r)
                                   RAAK_LANE_FORMULA { eliminate_node<r()>(plan, j, fronts, blocks, largest, PlainPivot{}); });
  };
  machine_has_avx2 ? in_wide_lanes(all) : all();
}

void eliminate(const BlockPlan& plan, int j, double* fronts, double* blocks, double threshold,
               std::vector<SkippedRow>& skipped) {
  double unused = 0.0;
  eliminate_node<0>(plan, j, fronts, blocks, unused, RankPivot{j, threshold, skipped});
}

void forward(const BlockPlan& plan, int j, double* fronts, const double* blocks) {
  const int R = plan.rows[z(j)];
  Scratch<0, double> scratch(R);
  double* const y = scratch.data();
  const double* const D = fronts + plan.front[z(j)];
  const double* const b = D + R * (R + 1) / 2 + R;
  for (int k = 0; k < R; ++k) {
    y[k] = 0.0;
    for (int l = 0; l < R; ++l) y[k] += b[l] * D[l <= k ? packed(k, l) : packed(l, k)];
  }
  for (int p = plan.first[z(j)]; p < plan.first[z(j) + 1]; ++p) {
    const double* const A = blocks + plan.block[z(p)];
    const int s = plan.rows[z(plan.target[z(p)])];
    double* const bp = fronts + plan.front[z(plan.target[z(p)])] + s * (s + 1) / 2 + s;
    for (int i = 0; i < s; ++i)
      for (int k = 0; k < R; ++k) bp[i] -= A[i * R + k] * y[k];
  }
}

void backward(const BlockPlan& plan, int j, double* fronts, const double* blocks) {
  with_size(plan.rows[z(j)], [&](auto r) { backward_node<r()>(plan, j, fronts, blocks); });
}

void backward(const BlockPlan& plan, int j, Pack* fronts, const Pack* blocks) {
  const auto all = [&]() RAAK_LANE_FORMULA {
    with_size(plan.rows[z(j)], [&](auto r) RAAK_LANE_FORMULA { backward_node<r()>(plan, j, fronts, blocks); });
  };
  machine_has_avx2 ? in_wide_lanes(all) : all();
}

}  // namespace raak

// The loops of block_elimination.h over a node, for one state or four lanes; to be inlined where they are used. Small
// blocks have code of their own.
#pragma once
#include <array>
#include <type_traits>
#include <vector>

#include "base/pack.h"

namespace raak {
namespace blocks {

inline constexpr int unrolled = 6;  // block sizes up to this have code of their own

constexpr int packed(int i, int j) {
  return i * (i + 1) / 2 + j;
}

// Memory of a node: on the stack where its size is known, else of the thread.
template <int R, class Number>
struct Scratch {
  explicit Scratch(int) {}
  Number* data() { return memory.data(); }
  std::array<Number, static_cast<std::size_t>(3 * R * R + R)> memory;
};
template <class Number>
struct Scratch<0, Number> {
  explicit Scratch(int r) { memory().resize(static_cast<std::size_t>(3 * r * r + r)); }
  Number* data() { return memory().data(); }
  static std::vector<Number>& memory() {
    thread_local std::vector<Number> kept;
    return kept;
  }
};

// The larger one; a share that is not positive shows that rounding has eaten the pivot.
inline constexpr double lost = 1e300;
RAAK_INLINE double larger(double a, double share) {
  return !(share > 0.0) ? lost : a > share ? a : share;
}
RAAK_INLINE Pack larger(const Pack& a, const Pack& share) {
  return max(a, Pack(share.x > Pack(0.0).x ? share.x : Pack(lost).x));
}

// What is done with the pivot of a row, and with the share that its original diagonal entry has in it.
template <class Number>
struct PlainPivot {
  static constexpr bool keeps_all_rows = true;
  Number& largest;
  RAAK_INLINE Number inverse(int, const Number& pivot, const Number&) const { return Number(1.0) / pivot; }
  RAAK_INLINE void note(const Number& share) const { largest = larger(largest, share); }
};

// The packed lower half of a symmetric matrix becomes that of its inverse: A = L D L', A^-1 = X' D^-1 X with X = L^-1.
template <int R_, class Number, class Pivot>
RAAK_INLINE void invert(Number* A, const Number* original, int r, Number* work, const Pivot& pivot) {
  const int R = R_ > 0 ? R_ : r;
  if constexpr (R_ == 1) {
    A[0] = pivot.inverse(0, A[0], original[0]);
    return;
  }
  if constexpr (R_ == 2 && Pivot::keeps_all_rows) {
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
#pragma GCC unroll 6
  for (int i = 0; i < R; ++i) {
    for (int j = 0; j <= i; ++j) {
      Number sum = A[packed(i, j)];
#pragma GCC unroll 6
      for (int k = 0; k < j; ++k) sum -= X[i * R + k] * L[j * R + k];
      if (j == i) d[i] = pivot.inverse(i, sum, original[i]);
      else X[i * R + j] = sum, L[i * R + j] = sum * d[j];  // X: L D here, the inverse of L below
    }
  }
#pragma GCC unroll 6
  for (int i = 0; i < R; ++i) {
    for (int j = 0; j < i; ++j) {
      Number sum = L[i * R + j];
#pragma GCC unroll 6
      for (int k = j + 1; k < i; ++k) sum += L[i * R + k] * X[k * R + j];
      X[i * R + j] = -sum;
    }
    X[i * R + i] = Number(1.0);
  }
  for (int a = 0; a < R; ++a)
    for (int b = 0; b <= a; ++b) {
      Number sum = X[a * R + b] * d[a];
#pragma GCC unroll 6
      for (int i = a + 1; i < R; ++i) sum += X[i * R + a] * X[i * R + b] * d[i];
      A[packed(a, b)] = sum;
    }
}

// The stream of a node: its rows, 1 if its targets have as many, its front, the number of targets; for each target its
// block, its rows, its front; and the blocks between targets (1,0), (2,0), (2,1), ...
// S_: the rows of all targets where they are known.
template <int R_, int S_, class Number, class Pivot>
RAAK_INLINE void eliminate_sized(const int* stream, Number* fronts, Number* blocks, const Pivot& pivot) {
  const int R = R_ > 0 ? R_ : stream[0];
  Scratch<R_, Number> scratch(R);
  Number* const D = fronts + stream[2];
  const Number* const original = D + R * (R + 1) / 2;
  const Number* const b = original + R;
  invert<R_>(D, original, R, scratch.data(), pivot);
#pragma GCC unroll 6
  for (int k = 0; k < R; ++k) pivot.note(original[k] * D[packed(k, k)]);
  // Copies that nothing else can change stay in registers.
  Number* const w = scratch.data();
  Number* const inverse = w + R;
  Number* const right = inverse + R * (R + 1) / 2;
#pragma GCC unroll 21
  for (int k = 0; k < R * (R + 1) / 2; ++k) inverse[k] = D[k];
#pragma GCC unroll 6
  for (int k = 0; k < R; ++k) right[k] = b[k];
  const int count = stream[3];
  const int* const targets = stream + 4;
  const int* update = targets + 3 * count;
  for (int p = 0; p < count; ++p) {
    const Number* const A = blocks + targets[3 * p];
    const int s = S_ > 0 ? S_ : targets[3 * p + 1];
    Number* const Dp = fronts + targets[3 * p + 2];
    Number* const bp = Dp + s * (s + 1) / 2 + s;
#pragma GCC unroll 2
    for (int i = 0; i < s; ++i) {
#pragma GCC unroll 6
      for (int k = 0; k < R; ++k) {
        Number sum = A[i * R] * inverse[packed(k, 0)];
#pragma GCC unroll 6
        for (int l = 1; l < R; ++l) sum += A[i * R + l] * inverse[l <= k ? packed(k, l) : packed(l, k)];
        w[k] = sum;
      }
      Number change = w[0] * right[0];
#pragma GCC unroll 6
      for (int k = 1; k < R; ++k) change += w[k] * right[k];
      bp[i] -= change;
#pragma GCC unroll 2
      for (int m = 0; m <= i; ++m) {
        Number product = w[0] * A[m * R];
#pragma GCC unroll 6
        for (int k = 1; k < R; ++k) product += w[k] * A[m * R + k];
        Dp[packed(i, m)] -= product;
      }
      for (int q = 0; q < p; ++q) {
        const Number* const B = blocks + targets[3 * q];
        const int sq = S_ > 0 ? S_ : targets[3 * q + 1];
        Number* const T = blocks + update[q] + i * sq;
#pragma GCC unroll 2
        for (int m = 0; m < sq; ++m) {
          Number product = w[0] * B[m * R];
#pragma GCC unroll 6
          for (int k = 1; k < R; ++k) product += w[k] * B[m * R + k];
          T[m] -= product;
        }
      }
    }
    update += p;
  }
}

// With the factors of before and a new right-hand side.
template <class Number>
void forward(const int* stream, Number* fronts, const Number* blocks) {
  const int R = stream[0];
  Scratch<0, Number> scratch(R);
  Number* const y = scratch.data();
  const Number* const D = fronts + stream[2];
  const Number* const b = D + R * (R + 1) / 2 + R;
  for (int k = 0; k < R; ++k) {
    y[k] = Number(0.0);
    for (int l = 0; l < R; ++l) y[k] += b[l] * D[l <= k ? packed(k, l) : packed(l, k)];
  }
  for (int p = 0; p < stream[3]; ++p) {
    const int* const target = stream + 4 + 3 * p;
    const Number* const A = blocks + target[0];
    const int s = target[1];
    Number* const bp = fronts + target[2] + s * (s + 1) / 2 + s;
    for (int i = 0; i < s; ++i)
      for (int k = 0; k < R; ++k) bp[i] -= A[i * R + k] * y[k];
  }
}

template <int R_, int S_, class Number>
RAAK_INLINE void backward_sized(const int* stream, Number* fronts, const Number* blocks) {
  const int R = R_ > 0 ? R_ : stream[0];
  Scratch<R_, Number> scratch(R);
  Number* const y = scratch.data();
  Number* const D = fronts + stream[2];
  Number* const b = D + R * (R + 1) / 2 + R;
#pragma GCC unroll 6
  for (int k = 0; k < R; ++k) y[k] = b[k];
  for (int p = 0; p < stream[3]; ++p) {
    const int* const target = stream + 4 + 3 * p;
    const Number* const A = blocks + target[0];
    const int s = S_ > 0 ? S_ : target[1];
    const Number* const x = fronts + target[2] + s * (s + 1) / 2 + s;
#pragma GCC unroll 2
    for (int i = 0; i < s; ++i)
#pragma GCC unroll 6
      for (int k = 0; k < R; ++k) y[k] -= A[i * R + k] * x[i];
  }
#pragma GCC unroll 6
  for (int k = 0; k < R; ++k) {
    Number sum = y[0] * D[packed(k, 0)];
#pragma GCC unroll 6
    for (int l = 1; l < R; ++l) sum += y[l] * D[l <= k ? packed(k, l) : packed(l, k)];
    b[k] = sum;
  }
}

// Calls f with the number of rows as a constant where it is small, else with 0.
template <class F>
RAAK_INLINE void with_size(const int* stream, F&& f) {
  using Any = std::integral_constant<int, 0>;
  if (stream[1] != 0 && stream[0] == 2) return f(std::integral_constant<int, 2>{}, std::integral_constant<int, 2>{});
  switch (stream[0]) {
    case 1:
      return f(std::integral_constant<int, 1>{}, Any{});
    case 2:
      return f(std::integral_constant<int, 2>{}, Any{});
    case 3:
      return f(std::integral_constant<int, 3>{}, Any{});
    case 4:
      return f(std::integral_constant<int, 4>{}, Any{});
    case 5:
      return f(std::integral_constant<int, 5>{}, Any{});
    case unrolled:
      return f(std::integral_constant<int, unrolled>{}, Any{});
    default:
      return f(std::integral_constant<int, 0>{}, Any{});
  }
}

}  // namespace blocks

// Eliminates a node. `largest` grows to the largest of original diagonal entry times that of the inverse: one over the
// squared sine of the angle between a row and those before it.
template <class Number>
RAAK_INLINE void eliminate_node(const int* stream, Number* fronts, Number* blocks, Number& largest) {
  blocks::with_size(
      stream, [&](auto r, auto s) __attribute__((always_inline)) {
        blocks::eliminate_sized<r(), s()>(stream, fronts, blocks, blocks::PlainPivot<Number>{largest});
      });
}

// The solution of a node, when those of its targets are known.
template <class Number>
RAAK_INLINE void backward_node(const int* stream, Number* fronts, const Number* blocks) {
  blocks::with_size(
      stream, [&](auto r, auto s)
                  __attribute__((always_inline)) { blocks::backward_sized<r(), s()>(stream, fronts, blocks); });
}

}  // namespace raak

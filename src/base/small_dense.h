// Dense linear algebra of sizes known at compile time, over any scalar type (double, Pack, Jet): the elimination of an
// index-1 evaluation runs in SIMD lanes, without pivoting and without branches.
// LDL': Golub and Van Loan, Matrix Computations, 4th ed., section 4.1.
#pragma once
#include <array>
#include <type_traits>

#include "base/pack.h"

namespace raak {

template <class Real, int N>
using Column = std::array<Real, N>;

template <class Real, int Rows, int Columns>
struct Dense {
  std::array<Real, static_cast<std::size_t>(Rows) * Columns> entry{};
  RAAK_INLINE Real& operator()(int i, int j) { return entry[static_cast<std::size_t>(i * Columns + j)]; }
  RAAK_INLINE const Real& operator()(int i, int j) const { return entry[static_cast<std::size_t>(i * Columns + j)]; }
};

// A symmetric matrix; (i, j) and (j, i) are the same entry.
template <class Real, int N>
struct Symmetric {
  std::array<Real, static_cast<std::size_t>(N) * (N + 1) / 2> lower{};
  RAAK_INLINE Real& operator()(int i, int j) { return lower[index(i, j)]; }
  RAAK_INLINE const Real& operator()(int i, int j) const { return lower[index(i, j)]; }
  static RAAK_INLINE std::size_t index(int i, int j) {
    return static_cast<std::size_t>(i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i);
  }
};

// A = L D L', in place: D on the diagonal (stored inverted), L below it.
template <class Real, int N>
struct Ldl {
  Symmetric<Real, N> a;
  // Smallest D_i / A_ii: the squared sine of the angle between a row and those before it; 0 means dependent rows.
  Real smallest_pivot{1.0};

  RAAK_INLINE explicit Ldl(const Symmetric<Real, N>& matrix) : a(matrix), smallest_pivot(1.0) {
    for (int j = 0; j < N; ++j) {
      const Real diagonal = a(j, j);
      Real pivot = diagonal;
      for (int k = 0; k < j; ++k) pivot -= a(j, k) * a(j, k) * pivot_[static_cast<std::size_t>(k)];
      pivot_[static_cast<std::size_t>(j)] = pivot;
      const Real ratio = pivot / diagonal;
      smallest_pivot = lesser(smallest_pivot, ratio);
      const Real inverse = Real(1.0) / pivot;
      for (int i = j + 1; i < N; ++i) {
        Real sum = a(i, j);
        for (int k = 0; k < j; ++k) sum -= a(i, k) * a(j, k) * pivot_[static_cast<std::size_t>(k)];
        a(i, j) = sum * inverse;
      }
      a(j, j) = inverse;
    }
  }
  RAAK_INLINE void solve(Column<Real, N>& x) const {
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < i; ++k) at(x, i) -= a(i, k) * at(x, k);
    for (int i = 0; i < N; ++i) at(x, i) = at(x, i) * a(i, i);
    for (int i = N - 1; i >= 0; --i)
      for (int k = i + 1; k < N; ++k) at(x, i) -= a(k, i) * at(x, k);
  }

 private:
  Column<Real, N> pivot_{};
  static RAAK_INLINE Real& at(Column<Real, N>& x, int i) { return x[static_cast<std::size_t>(i)]; }
  static RAAK_INLINE Real lesser(const Real& x, const Real& y) {
    if constexpr (std::is_floating_point_v<Real>) return x < y ? x : y;
    else return min(x, y);
  }
};

}  // namespace raak

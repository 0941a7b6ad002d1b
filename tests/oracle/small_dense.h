// Columns and matrices of sizes known at compile time, over any scalar type (double, Jet, Recorded).
#pragma once
#include <array>

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

}  // namespace raak

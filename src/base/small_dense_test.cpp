#include "base/small_dense.h"

#include <gtest/gtest.h>

namespace raak {
namespace {

TEST(Ldl, SolvesASymmetricSystem) {
  Symmetric<double, 3> a;
  a(0, 0) = 4.0;
  a(1, 0) = 1.0;
  a(1, 1) = 3.0;
  a(2, 0) = -1.0;
  a(2, 1) = 0.5;
  a(2, 2) = 5.0;
  const Column<double, 3> x{1.0, -2.0, 3.0};
  Column<double, 3> b{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) b[static_cast<std::size_t>(i)] += a(i, j) * x[static_cast<std::size_t>(j)];
  Ldl<double, 3>(a).solve(b);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(b[i], x[i], 1e-15);
}

TEST(Ldl, SmallestPivotIsTheSquaredSineBetweenRows) {
  // Gram matrix of two unit vectors at an angle of 0.01 rad.
  Symmetric<double, 2> gram;
  gram(0, 0) = gram(1, 1) = 1.0;
  gram(1, 0) = std::cos(0.01);
  const double pivot = Ldl<double, 2>(gram).smallest_pivot;
  EXPECT_NEAR(pivot, std::sin(0.01) * std::sin(0.01), 1e-15);
}

}  // namespace
}  // namespace raak

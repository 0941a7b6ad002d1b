#include "system/elimination/elimination.h"

#include <gtest/gtest.h>

#include <cmath>

#include "system/elimination/null_space.h"

namespace raak {
namespace {

// Constants on a tape are folded, so that whatever is recorded from them is a number at once.
class EliminationTest : public testing::Test {
 protected:
  static double number(const Recorded& x) {
    double value = std::nan("");
    EXPECT_TRUE(x.constant(value) || x.is_zero());
    return x.is_zero() ? 0.0 : value;
  }
  static Reals reals(std::initializer_list<double> values) { return {values.begin(), values.end()}; }

  Tape tape_;
  Tape::Recording recording_{tape_};
};

TEST_F(EliminationTest, SolvesASymmetricSystem) {
  SymmetricEntries a(3);
  a(0, 0) = 4.0;
  a(1, 0) = 1.0;
  a(1, 1) = 3.0;
  a(2, 0) = -1.0;
  a(2, 1) = 0.5;
  a(2, 2) = 5.0;
  const double x[3] = {1.0, -2.0, 3.0};
  Reals b = a.times(reals({x[0], x[1], x[2]}));
  SparseLdl(a).solve(b);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(number(b[i]), x[i], 1e-15);
}

TEST_F(EliminationTest, SmallestPivotIsTheSquaredSineBetweenRows) {
  SymmetricEntries gram(2);  // of two unit vectors at an angle of 0.01 rad
  gram(0, 0) = 1.0;
  gram(1, 1) = 1.0;
  gram(1, 0) = std::cos(0.01);
  EXPECT_NEAR(number(SparseLdl(gram).smallest_pivot()), std::sin(0.01) * std::sin(0.01), 1e-15);
}

// Four coordinates, rows in a block of two and one of one; every way must satisfy M a + G' lambda = f, G a = bias.
TEST_F(EliminationTest, NullSpaceAndSchurComplementSolveTheSameEquations) {
  SymmetricEntries M(4);
  for (int i = 0; i < 4; ++i) M(i, i) = 2.0 + i;
  M(2, 0) = 0.3;
  const std::vector<Gradient> G{
      {{0, Recorded(1.0)}, {1, Recorded(0.5)}, {3, Recorded(-0.2)}},
      {{0, Recorded(-0.4)}, {1, Recorded(1.1)}},
      {{1, Recorded(0.3)}, {2, Recorded(0.9)}, {3, Recorded(0.7)}},
  };
  PivotPlan plan;
  plan.blocks = {{{0, 1}, {0, 1}, 2, 1.0}, {{2, -1}, {2, -1}, 1, 1.0}};
  plan.independent = {3};
  const Reals f = reals({1.0, -2.0, 0.5, 3.0});
  const Reals bias = reals({0.7, 0.1, -0.6});
  const SchurElimination::Solution expected = SchurElimination(M, G).solve(f, bias);
  const NullSpace space(M, G, plan);
  const Reals a = space.solve(f, bias);
  const Reals lambda = space.multipliers(f, a);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(number(a[i]), number(expected.a[i]), 1e-14);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(number(lambda[i]), number(expected.lambda[i]), 1e-14);
  const Reals Ma = M.times(a);
  Reals balance = Ma;
  for (std::size_t i = 0; i < 3; ++i) {
    Recorded row = -bias[i];
    for (const auto& [j, entry] : G[i]) {
      row += entry * a[static_cast<std::size_t>(j)];
      balance[static_cast<std::size_t>(j)] += entry * lambda[i];
    }
    EXPECT_NEAR(number(row), 0.0, 1e-15);
  }
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(number(balance[i]), number(f[i]), 1e-14);
}

}  // namespace
}  // namespace raak

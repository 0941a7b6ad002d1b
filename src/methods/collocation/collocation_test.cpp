#include "methods/collocation/collocation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace raak {
namespace {

class Rules : public testing::TestWithParam<std::pair<Collocation::Kind, int>> {};

TEST_P(Rules, IntegratePolynomialsOfTheirOrder) {
  const Collocation rule(GetParam().first, GetParam().second);
  const int order = 2 * rule.s - (GetParam().first == Collocation::Kind::radau ? 1 : 0);
  for (int power = 0; power < order; ++power) {
    double once = 0.0;
    double twice = 0.0;
    for (int j = 0; j < rule.s; ++j) {
      const auto k = static_cast<std::size_t>(j);
      once += rule.b[k] * std::pow(rule.c[k], power);
      twice += rule.bb[k] * std::pow(rule.c[k], power);
    }
    EXPECT_NEAR(once, 1.0 / (power + 1), 1e-15);
    if (power < order - 1) {
      EXPECT_NEAR(twice, 1.0 / ((power + 1.0) * (power + 2.0)), 1e-15);
    }
  }
  for (int power = 0; power < rule.s; ++power)
    for (int i = 0; i < rule.s; ++i) {
      const double ci = rule.c[static_cast<std::size_t>(i)];
      double once = 0.0;
      double twice = 0.0;
      for (int j = 0; j < rule.s; ++j) {
        once += rule.a(i, j) * std::pow(rule.c[static_cast<std::size_t>(j)], power);
        twice += rule.aa(i, j) * std::pow(rule.c[static_cast<std::size_t>(j)], power);
      }
      EXPECT_NEAR(once, std::pow(ci, power + 1) / (power + 1), 1e-15);
      EXPECT_NEAR(twice, std::pow(ci, power + 2) / ((power + 1.0) * (power + 2.0)), 1e-15);
    }
}

TEST_P(Rules, LegendreSeriesOfTheInterpolantReproducesItsValues) {
  const Collocation rule(GetParam().first, GetParam().second);
  for (int node = 0; node < rule.s; ++node)
    for (int j = 0; j < rule.s; ++j) {
      double value = 0.0;
      for (int k = 0; k < rule.s; ++k)
        value += rule.series(k, j) *
                 std::legendre(static_cast<unsigned>(k), 2.0 * rule.c[static_cast<std::size_t>(node)] - 1.0);
      EXPECT_NEAR(value, node == j ? 1.0 : 0.0, 1e-13);
    }
}

INSTANTIATE_TEST_SUITE_P(Collocation, Rules,
                         testing::Values(std::pair(Collocation::Kind::gauss, 4), std::pair(Collocation::Kind::gauss, 8),
                                         std::pair(Collocation::Kind::radau, 3), std::pair(Collocation::Kind::radau, 4),
                                         std::pair(Collocation::Kind::radau, 5), std::pair(Collocation::Kind::radau, 7),
                                         std::pair(Collocation::Kind::radau, 8)));

}  // namespace
}  // namespace raak

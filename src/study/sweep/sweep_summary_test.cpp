// Summaries by identities and closed forms: the moments of a progression, quantiles by their definition, and the
// indices of Ishigami's function.
#include "study/sweep/sweep_summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "study/sweep/design/design.h"

namespace raak {
namespace {

TEST(SweepSummary, MomentsOfAProgression) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(3.0 + i);
  const Moments moments = moments_of(values);
  EXPECT_DOUBLE_EQ(moments.mean, 502.5);
  EXPECT_DOUBLE_EQ(moments.deviation, std::sqrt(1000.0 * 1001.0 / 12.0));
  EXPECT_EQ(moments.min, 3.0);
  EXPECT_EQ(moments.max, 1002.0);
  EXPECT_TRUE(std::isnan(moments_of({}).mean));
}

TEST(SweepSummary, QuantilesAreLinearBetweenNumbers) {
  const std::vector<double> values{1.0, 2.0, 4.0, 8.0};
  EXPECT_EQ(quantile_of(values, 0.0), 1.0);
  EXPECT_EQ(quantile_of(values, 0.5), 3.0);
  EXPECT_EQ(quantile_of(values, 1.0), 8.0);
}

// Rounding of a plain loop would be 1e-10 here.
TEST(SweepSummary, SumsLoseFewDigits) {
  const double sum = tree_sum(0, 1'000'000, [](std::size_t) { return 0.1; });
  EXPECT_NEAR(sum, 100000.0, 2e-11);
}

// Ishigami and Homma (1990): sin x1 + a sin^2 x2 + b x3^4 sin x1 on [-pi, pi]^3; its indices in closed form.
TEST(SweepSummary, IndicesOfIshigamisFunction) {
  constexpr double a = 7.0, b = 0.1, pi = std::numbers::pi;
  SweepPlan plan{.path = "plan.toml", .model = "", .design = DesignKind::sobol, .samples = 1 << 14};
  plan.sobol_indices = true;
  for (int k = 0; k < 3; ++k)
    plan.vary.push_back({.name = "x", .distribution = {Distribution::Kind::uniform, {-pi, pi}}});
  const Design design(plan);
  std::vector<double> values, x(3);
  for (std::uint64_t i = 0; i < design.cases(); ++i) {
    design.numbers(i, x);
    values.push_back(std::sin(x[0]) + a * std::pow(std::sin(x[1]), 2) + b * std::pow(x[2], 4) * std::sin(x[0]));
  }
  const double p4 = std::pow(pi, 4), p8 = std::pow(pi, 8);
  const double v1 = 0.5 * std::pow(1.0 + b * p4 / 5.0, 2), v2 = a * a / 8.0,
               v13 = b * b * p8 * (1.0 / 18.0 - 1.0 / 50.0);
  const double v = v1 + v2 + v13;
  const SobolIndices found = sobol_indices(values, 3);
  EXPECT_EQ(found.groups, 1U << 14);
  EXPECT_NEAR(found.first[0], v1 / v, 3e-3);
  EXPECT_NEAR(found.first[1], v2 / v, 3e-3);
  EXPECT_NEAR(found.first[2], 0.0, 3e-3);
  EXPECT_NEAR(found.total[0], (v1 + v13) / v, 3e-3);
  EXPECT_NEAR(found.total[1], v2 / v, 3e-3);
  EXPECT_NEAR(found.total[2], v13 / v, 3e-3);
  values[7] = std::nan("");
  EXPECT_EQ(sobol_indices(values, 3).groups, (1U << 14) - 1);
}

}  // namespace
}  // namespace raak

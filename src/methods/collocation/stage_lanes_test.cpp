#include "methods/collocation/stage_lanes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "methods/test_pendulum.h"

namespace raak {
namespace {

constexpr int s = 8;

// The sum of `terms` terms ratio^k P_k(x).
double partial_sum(double ratio, int terms, double x) {
  double before = 0.0;
  double now = 1.0;
  double sum = 1.0;
  for (int k = 1; k < terms; ++k) {
    const double next = ((2.0 * k - 1.0) * x * now - (k - 1.0) * before) / k;
    before = now;
    now = next;
    sum += std::pow(ratio, k) * now;
  }
  return sum;
}

class Prediction : public ::testing::Test {
 protected:
  // Continues the series with terms ratio^k P_k over a step as long as the last one.
  void predict(double ratio) {
    LaneArray series(s * n_);
    LaneArray weight(n_);
    for (int d = 0; d < n_; ++d) {
      weight[d] = 1.0;
      for (int k = 0; k < s; ++k) series[s * d + k] = std::pow(ratio, k);
    }
    stages_.predict(series.data(), s, 1.0, 1.0, weight.data());
  }
  double node(int i) const { return 1.0 + 2.0 * rule_.c[static_cast<std::size_t>(i)]; }

  const int n_ = pendulum->coordinates();
  const Collocation& rule_ = collocation_rule(Collocation::Kind::gauss, s);
  StageLanes<s> stages_{*pendulum, rule_};
};

TEST_F(Prediction, ContinuesASeriesWhoseTermsFall) {
  predict(0.1);  // P_k(3) grows by less than 5.9 from term to term
  for (int d = 0; d < n_; ++d)
    for (int i = 0; i < s; ++i) EXPECT_NEAR(stages_.a[s * d + i], partial_sum(0.1, s, node(i)), 1e-12);
}

TEST_F(Prediction, CutsASeriesWhoseTermsGrow) {
  predict(0.5);
  for (int d = 0; d < n_; ++d)
    for (int i = 0; i < s; ++i) EXPECT_EQ(stages_.a[s * d + i], 1.0);
  EXPECT_GT(partial_sum(0.5, s, node(s - 1)), 100.0);  // what all terms would give
}

}  // namespace
}  // namespace raak

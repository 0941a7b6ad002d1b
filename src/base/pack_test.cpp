#include "base/pack.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace raak {
namespace {

double ulps(double found, long double exact) {
  const double nearest = static_cast<double>(exact);
  const double unit = std::nextafter(std::fabs(nearest), INFINITY) - std::fabs(nearest);
  return static_cast<double>(std::fabs(static_cast<long double>(found) - exact)) / unit;
}

TEST(Pack, SineAndCosineStayWithinAFewUlpsUpToAHundredThousandRadians) {
  std::mt19937_64 random(1);
  double worst = 0.0;
  for (const double range : {1.0, 10.0, 1e3, 9.9e4}) {
    std::uniform_real_distribution<double> angle(-range, range);
    for (int i = 0; i < 20000; ++i) {
      const double x = angle(random);
      const SinCos sc = sin_cos(Pack(x));
      // Near a zero the absolute error counts.
      if (std::fabs(sc.sin[0]) > 1e-3) worst = std::max(worst, ulps(sc.sin[0], std::sin(static_cast<long double>(x))));
      if (std::fabs(sc.cos[1]) > 1e-3) worst = std::max(worst, ulps(sc.cos[1], std::cos(static_cast<long double>(x))));
      EXPECT_NEAR(sc.sin[2], std::sin(x), 2.3e-16);
      EXPECT_NEAR(sc.cos[3], std::cos(x), 2.3e-16);
    }
  }
  EXPECT_LT(worst, 2.2);
}

TEST(Pack, SineOfHugeInfiniteAndUndefinedAnglesFollowsTheLibrary) {
  EXPECT_DOUBLE_EQ(sin(Pack(1e22))[0], std::sin(1e22));
  EXPECT_TRUE(std::isnan(cos(Pack(INFINITY))[1]));
  EXPECT_TRUE(std::isnan(sin(Pack(NAN))[3]));
}

TEST(Pack, LanesAreIndependent) {
  alignas(32) const double values[4] = {1.0, -2.0, 4.0, 0.25};
  const Pack x = Pack::load(values);
  const Pack y = sqrt(x * x) + 1.0 / x - abs(x);
  for (int i = 0; i < lanes; ++i) EXPECT_DOUBLE_EQ(y[i], 1.0 / values[i]);
  EXPECT_DOUBLE_EQ(min(x, Pack(0.5))[3], 0.25);
  EXPECT_DOUBLE_EQ(max(x, Pack(0.5))[1], 0.5);
  EXPECT_DOUBLE_EQ(atan2(x, Pack(1.0))[1], std::atan2(-2.0, 1.0));
}

}  // namespace
}  // namespace raak

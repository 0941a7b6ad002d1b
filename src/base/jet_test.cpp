#include "oracle/jet.h"

#include <gtest/gtest.h>

namespace raak {
namespace {

// One formula that uses every operation.
template <class Real>
Real formula(const Real& x, const Real& y) {
  Real r = sin(x) * cos(y) / (1.0 + x * x) + exp(-x) * log(y + 3.0) - sqrt(y * y + 2.0);
  r += atan2(y, x) * pow(y + 2.0, 1.5);
  r -= tan(0.1 * x) / 2.0 + tanh(0.4 * x - y);
  r *= 1.0 + 0.5 * x;
  r /= y + 4.0;
  return 2.0 - r;
}

constexpr double x0 = 0.7;
constexpr double y0 = 1.3;
constexpr double h = 1e-4;

TEST(Jet, PartialDerivativesAgreeWithDifferences) {
  using J = Jet<double, 2>;
  const J f = formula(J::variable(x0, 0), J::variable(y0, 1));
  EXPECT_DOUBLE_EQ(f.value, formula(x0, y0));
  const auto slope = [](auto&& g) { return (8.0 * (g(h) - g(-h)) - (g(2 * h) - g(-2 * h))) / (12.0 * h); };
  EXPECT_NEAR(f.partial[0], slope([](double e) { return formula(x0 + e, y0); }), 1e-11);
  EXPECT_NEAR(f.partial[1], slope([](double e) { return formula(x0, y0 + e); }), 1e-11);
}

TEST(Jet, NestedJetsGiveSymmetricSecondDerivatives) {
  using Inner = Jet<double, 2>;
  using Outer = Jet<Inner, 2>;
  Outer x = Outer::variable(Inner::variable(x0, 0), 0);
  Outer y = Outer::variable(Inner::variable(y0, 1), 1);
  const Outer f = formula(x, y);
  EXPECT_NEAR(f.partial[0].partial[1], f.partial[1].partial[0], 1e-14);
  using J = Jet<double, 2>;
  const double up = formula(J::variable(x0 + h, 0), J::variable(y0, 1)).partial[1];
  const double down = formula(J::variable(x0 - h, 0), J::variable(y0, 1)).partial[1];
  EXPECT_NEAR(f.partial[0].partial[1], (up - down) / (2 * h), 1e-7);
}

TEST(Jet, HyperbolicTangentSaturatesWithoutOverflow) {
  using J = Jet<double, 1>;
  for (const double x : {-1000.0, -25.0, 25.0, 1000.0}) {
    const J f = tanh(J::variable(x, 0));
    EXPECT_EQ(f.value, x > 0.0 ? 1.0 : -1.0);
    EXPECT_EQ(f.partial[0], 0.0);
  }
  const J f = tanh(J::variable(0.3, 0));
  EXPECT_DOUBLE_EQ(f.value, std::tanh(0.3));
  EXPECT_DOUBLE_EQ(f.partial[0], 1.0 / (std::cosh(0.3) * std::cosh(0.3)));
}

TEST(Taylor, FollowsACurveToSecondOrder) {
  // x(s) = x0 + 2 s + 1.5 s^2, y(s) = y0 - s
  const auto along = [](double s) { return formula(x0 + 2.0 * s + 1.5 * s * s, y0 - s); };
  const Taylor<double> f = formula(Taylor<double>(x0, 2.0, 3.0), Taylor<double>(y0, -1.0, 0.0));
  EXPECT_DOUBLE_EQ(f.value, along(0.0));
  EXPECT_NEAR(f.d, (8.0 * (along(h) - along(-h)) - (along(2 * h) - along(-2 * h))) / (12.0 * h), 1e-11);
  EXPECT_NEAR(f.dd, (along(h) - 2.0 * along(0.0) + along(-h)) / (h * h), 1e-6);
}

TEST(Taylor, AgreesWithJetsOverPacks) {
  using T = Taylor<Pack>;
  const T f = formula(T(Pack(x0), Pack(1.0), Pack(0.0)), T(Pack(y0), Pack(0.0), Pack(0.0)));
  using J = Jet<Pack, 2>;
  const J g = formula(J::variable(Pack(x0), 0), J::variable(Pack(y0), 1));
  for (int lane = 0; lane < lanes; ++lane) EXPECT_NEAR(f.d[lane], g.partial[0][lane], 1e-15);
}

}  // namespace
}  // namespace raak

// The pendulum against its closed form, (3.17): (J + m l^2) phi'' + m g l sin(phi) = 0.
#include "problems/pendulum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "problems/constants.h"
#include "problems/published_digits.h"

namespace raak {
namespace {

Model pendulum_with(const std::vector<std::pair<std::string, std::string>>& settings) {
  const ModelSource source = pendulum();
  return source.build(with_settings(source.parameters, settings), Form::index1);
}

TEST(Pendulum, AcceleratesAsItsClosedForm) {
  const double m = 1.7, J = 0.3, l = 0.6, g = 9.81, phi = 2.1, rate = -3.0;
  const Model model =
      pendulum_with({{"m", "1.7"}, {"J", "0.3"}, {"l", "0.6"}, {"g", "9.81"}, {"phi0", "2.1"}, {"phid0", "-3"}});
  const State x = make_consistent(*model.system, model.start);
  const double angular = -m * g * l * std::sin(phi) / (J + m * l * l);
  const double x_dd = l * (angular * std::cos(phi) - rate * rate * std::sin(phi));
  const double y_dd = -l * (angular * std::sin(phi) + rate * rate * std::cos(phi));
  EXPECT_NEAR(x.a[2], angular, 1e-13);
  EXPECT_NEAR(x.a[0], x_dd, 1e-13);
  EXPECT_NEAR(x.a[1], y_dd, 1e-13);
  EXPECT_NEAR(x.lambda[0], -m * x_dd, 1e-12);
  EXPECT_NEAR(x.lambda[1], m * (g - y_dd), 1e-12);
}

TEST(Pendulum, StartsOnItsCircleAlthoughTheGuessIsNot) {
  const Model model = pendulum_with({});
  Vector g(2);
  model.system->constraint(0.0, model.start.q, g);
  EXPECT_GT(g.norm(), 0.05);
  const State start = make_consistent(*model.system, model.start);
  EXPECT_NEAR(start.q[0], 0.375, 1e-15);
  EXPECT_NEAR(start.q[1], 0.375 * std::numbers::sqrt3, 1e-15);
}

TEST(Pendulum, FallsWhereYGrows) {
  const Model model = pendulum_with({});
  const Vector high{{0.0, -0.75, 3.14}}, low{{0.0, 0.75, 0.0}}, still = Vector::Zero(3);
  const double drop =
      model.system->energy(0.0, high, still).potential - model.system->energy(0.0, low, still).potential;
  EXPECT_NEAR(drop, 3.0 * 9.8 * 1.5, 1e-13);
}

TEST(Pendulum, PrintsTwoToThreeDigits) {
  for (const char* phi0 : {"0.5235987755982988", "0.5236"}) {
    const Digits digits = published_digits(pendulum_with({{"phi0", phi0}}), {});
    EXPECT_GT(digits.scd, 2.0);
    EXPECT_LT(digits.scd, 3.0);
  }
}

// Bijlage I: 28 times, of which the trusted solution has every one.
TEST(Pendulum, PrintedTableIsOffByUpToFourAndAHalfMilliradians) {
  const Model model = pendulum_with({{"phi0", "0.5236"}});
  const Reference& printed = reference_of(model, Reference::Kind::published, {});
  const Reference& exact = reference_of(model, Reference::Kind::trusted, {});
  EXPECT_EQ(printed.values.size(), 28U);
  EXPECT_FALSE(printed.remark.empty());
  double worst = 0.0;
  for (const auto& [t, row] : printed.values) {
    EXPECT_EQ(row.size(), 12U) << t;
    worst = std::max(worst, std::abs(row.at("q.phi") - exact.values.at(t).at("q.phi")));
  }
  EXPECT_NEAR(worst, 4.5e-3, 1e-4);
}

}  // namespace
}  // namespace raak

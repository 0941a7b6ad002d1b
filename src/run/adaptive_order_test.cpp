// Methods whose order varies, or whose steps do, show it by what more steps are worth: error ~ steps^-order.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "run/integrate.h"
#include "system/consistent_start.h"
#include "system/equations.h"

namespace raak {
namespace {

// From rest at pi/6; after one period, known by the complete elliptic integral, it is at rest again.
struct Pendulum {
  static constexpr int coordinates = 3, constraints = 2;
  void mass(const auto&, const auto&, auto& M) const {
    M(0, 0) = M(1, 1) = 3.0;
    M(2, 2) = 2.0;
  }
  void force(const auto&, const auto&, const auto&, auto& f) const { f[1] = 3.0 * 9.8; }
  void constraint(const auto&, const auto& q, auto& g) const {
    g[0] = q[0] - 0.75 * sin(q[2]);
    g[1] = q[1] - 0.75 * cos(q[2]);
  }
  auto potential(const auto&, const auto& q) const { return -3.0 * 9.8 * q[1]; }
  static Description description() { return {{"x", "y", "phi"}, {"x", "y"}, {}}; }
};
constexpr double period = 2.6141895521915239523688;

struct Work {
  double steps = 0.0;
  double error = 0.0;
};

Work swing(const std::string& method, const std::string& form, double tolerance, double fixed_step = 0.0) {
  const auto system = make_system(Pendulum{});
  StartRequest start;
  start.q = Vector{{0.4, 0.6, std::numbers::pi / 6.0}};
  start.v = Vector::Zero(3);
  start.trusted_positions = start.trusted_velocities = {"phi"};
  Plan plan;
  plan.until = period;
  plan.method = method;
  plan.form = form;
  plan.fixed_step = fixed_step;
  plan.tolerances = Tolerances::uniform(tolerance, tolerance);
  const Result result = integrate(*system, make_consistent(*system, start), plan);
  EXPECT_EQ(result.termination, Termination::ok) << result.message;
  return {static_cast<double>(result.statistics.accepted), std::abs(result.end.v[2])};
}

double order_between(const Work& coarse, const Work& fine) {
  return std::log(coarse.error / fine.error) / std::log(fine.steps / coarse.steps);
}

TEST(AdaptiveSteps, OfGeneralizedAlphaShowOrderTwo) {
  for (const char* form : {"ggl", "index3"})
    EXPECT_NEAR(order_between(swing("generalized-alpha", form, 1e-3), swing("generalized-alpha", form, 1e-6)), 2.0, 0.1)
        << form;
}

TEST(AdaptiveSteps, OfGeneralizedAlphaComeToTheEndAtTolerancesThatItCannotDeliver) {
  EXPECT_LT(swing("generalized-alpha", "ggl", 1e-11).error, 1e-7);
}

TEST(AdaptiveSteps, OfBackwardDifferentiationShowOrderFive) {
  EXPECT_GT(order_between(swing("bdf", "ggl", 1e-4), swing("bdf", "ggl", 1e-10)), 4.5);
}

TEST(AdaptiveSteps, OfAdamsShowOrderTwelve) {
  for (const char* method : {"adams", "svd"})
    EXPECT_GT(order_between(swing(method, "index1", 1e-6), swing(method, "index1", 1e-12)), 11.0) << method;
}

TEST(FixedSteps, OfBackwardDifferentiationKeepOrderFiveWhateverTheTolerance) {
  const auto order = [](double tolerance, int steps) {
    const Work coarse = swing("bdf", "ggl", tolerance, period / 256);
    return std::log2(coarse.error / swing("bdf", "ggl", tolerance, period / steps).error) / std::log2(steps / 256);
  };
  EXPECT_NEAR(order(1e-6, 1024), 5.0, 0.7);
  EXPECT_NEAR(order(1e-13, 2048), 5.0, 0.7);
}

}  // namespace
}  // namespace raak

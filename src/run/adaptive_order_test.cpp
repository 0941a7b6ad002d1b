// Methods whose order varies, or whose steps do, show it by what more steps are worth: error ~ steps^-order.
#include <gtest/gtest.h>

#include <cmath>

#include "run/integrate.h"
#include "run/test_pendulum.h"

namespace raak {
namespace {

struct Work {
  double steps = 0.0;
  double error = 0.0;
};

// After one period it is at rest again.
Work swing(const std::string& method, Form form, double tolerance, double fixed_step = 0.0) {
  Plan plan;
  plan.until = period;
  plan.method = method;
  plan.form = form;
  plan.fixed_step = fixed_step;
  plan.tolerances = Tolerances::uniform(tolerance, tolerance);
  const Result result = integrate(*pendulum, start_at_rest(), plan);
  EXPECT_EQ(result.termination, Termination::ok) << result.message;
  return {static_cast<double>(result.statistics.accepted), std::abs(result.end.v[2])};
}

double order_between(const Work& coarse, const Work& fine) {
  return std::log(coarse.error / fine.error) / std::log(fine.steps / coarse.steps);
}

TEST(AdaptiveSteps, OfGeneralizedAlphaShowOrderTwo) {
  for (const Form form : {Form::ggl, Form::index3})
    EXPECT_NEAR(order_between(swing("generalized-alpha", form, 1e-3), swing("generalized-alpha", form, 1e-6)), 2.0, 0.1)
        << name_of(form);
}

TEST(AdaptiveSteps, OfGeneralizedAlphaComeToTheEndAtTolerancesThatItCannotDeliver) {
  EXPECT_LT(swing("generalized-alpha", Form::ggl, 1e-11).error, 1e-7);
}

TEST(AdaptiveSteps, OfBackwardDifferentiationShowOrderFive) {
  EXPECT_GT(order_between(swing("bdf", Form::ggl, 1e-4), swing("bdf", Form::ggl, 1e-10)), 4.5);
}

TEST(AdaptiveSteps, OfAdamsShowOrderTwelve) {
  for (const char* method : {"adams", "svd"})
    EXPECT_GT(order_between(swing(method, Form::index1, 1e-6), swing(method, Form::index1, 1e-12)), 11.0) << method;
}

TEST(FixedSteps, OfBackwardDifferentiationKeepOrderFiveWhateverTheTolerance) {
  const auto order = [](double tolerance, int steps) {
    const Work coarse = swing("bdf", Form::ggl, tolerance, period / 256);
    return std::log2(coarse.error / swing("bdf", Form::ggl, tolerance, period / steps).error) / std::log2(steps / 256);
  };
  EXPECT_GT(order(1e-6, 1024), 4.3);  // an iteration more or less by rounding: up to 6.2
  EXPECT_NEAR(order(1e-13, 2048), 5.0, 0.7);
}

}  // namespace
}  // namespace raak

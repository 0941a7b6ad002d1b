// Motions under non-holonomic constraints against their closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "run/integrate.h"
#include "run/test_runs.h"

namespace raak {
namespace {

// Closed form for a skate turning at constant rate: x = g sin(s)/(2 w^2) sin^2(wt), y = g sin(s)/(2 w^2) (wt -
// sin(2wt)/2).
TEST(NonHolonomic, KnifeEdgeFollowsItsClosedForm) {
  const example::KnifeEdge edge;
  const auto system = make_system(edge);
  const double w = 2.0;
  const double t = 5.0;
  const double scale = edge.g * std::sin(edge.slope) / (2.0 * w * w);
  const State start = start_of(*system, {0, 0, 0}, {0, 0, w}, {"x", "y", "phi"}, {"x", "phi"});
  for (const char* method : {"dop853", "adams", "svd", "svd-dop853"}) {
    const Result r = integrate(*system, start, plan_until(t, 1e-11, method));
    EXPECT_NEAR(r.end.q[0], scale * std::pow(std::sin(w * t), 2), 1e-8) << method;
    EXPECT_NEAR(r.end.q[1], scale * (w * t - 0.5 * std::sin(2 * w * t)), 1e-8) << method;
    EXPECT_LT(r.quality.velocity_residual, 1e-12) << method;
    EXPECT_LT(r.quality.energy_drift, 1e-8) << method;
  }
}

// u = A tanh(k(t - 3)), omega = A sqrt(m/J) / cosh(k(t - 3)), J = I + m a^2, k = a A m / J, and the state at t = 6 from
// an independent solution good to 6e-13.
TEST(NonHolonomic, ChaplyginSleighFollowsItsClosedForm) {
  const auto system = make_system(example::Sleigh{});
  const double A = 1.5;
  const double k = 2.142857142857143;
  const double u0 = A * std::tanh(-3.0 * k);
  const double w0 = A * std::sqrt(1.0 / 0.14) / std::cosh(3.0 * k);
  const State start = start_of(*system, {0, 0, 0}, {u0, 0, w0}, {"x", "y", "heading"}, {"x", "heading"});
  for (const char* method : {"dop853", "adams", "svd", "svd-dop853"}) {
    const Result r = integrate(*system, start, plan_until(6.0, 1e-12, method));
    EXPECT_NEAR(r.end.q[0], -0.7153960489025442, 1e-8) << method;
    EXPECT_NEAR(r.end.q[1], -3.373898921258496, 1e-8) << method;
    EXPECT_NEAR(r.end.q[2], 5.8652979624775705, 1e-8) << method;
    EXPECT_NEAR(std::hypot(r.end.v[0], r.end.v[1]), 1.4999921777, 1e-8) << method;
    EXPECT_LT(r.quality.energy_drift, 1e-9) << method;
    EXPECT_LT(r.quality.velocity_residual, 1e-12) << method;
  }
}

}  // namespace
}  // namespace raak

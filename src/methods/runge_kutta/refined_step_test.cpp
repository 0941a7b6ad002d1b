// Inside a step the dense output is as good as the end of the step, and so are accelerations at its end.
#include "methods/runge_kutta/refined_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "methods/test_pendulum.h"

namespace raak {
namespace {

State exact_at(const State& from, double t) {
  return advance(*find_method("dop853").make(*pendulum, Form::index1, Tolerances::uniform(1e-14, 1e-14)), from, t);
}

struct Distance {
  double motion = 0.0;  // of q and v
  double forces = 0.0;  // of a and lambda
  void take(const State& a, const State& b) {
    motion = std::max({motion, (a.q - b.q).cwiseAbs().maxCoeff(), (a.v - b.v).cwiseAbs().maxCoeff()});
    forces = std::max({forces, (a.a - b.a).cwiseAbs().maxCoeff(), (a.lambda - b.lambda).cwiseAbs().maxCoeff()});
  }
};

class DenseOutput : public testing::TestWithParam<const char*> {};

TEST_P(DenseOutput, IsAsAccurateInsideAStepAsAtItsEnd) {
  constexpr double tolerance = 1e-8;
  const MethodInfo& info = find_method(GetParam());
  const auto method = info.make(*pendulum, info.forms.front(), Tolerances::uniform(tolerance, tolerance));
  double h = method->begin(pendulum_start(), 1.0);
  Distance inside, at_ends;
  while (method->current().t != 1.0) {
    const State before = method->current();
    const Attempt attempt = method->attempt(std::min(1.0, before.t + h));
    h = attempt.acceptable ? method->accept() : attempt.retry_step;
    if (!attempt.acceptable) continue;
    const State end = method->current();
    at_ends.take(exact_at(before, end.t), end);
    for (const double x : {0.15, 0.5, 0.85}) {
      State between = before;
      between.t = before.t + x * (end.t - before.t);
      method->interpolate(between.t, between.q, between.v);
      update_accelerations(*pendulum, between);
      inside.take(exact_at(before, between.t), between);
    }
  }
  EXPECT_LT(inside.motion, std::max(2.5 * at_ends.motion, 1e-3 * tolerance));
  EXPECT_LT(inside.forces, std::max(2.5 * at_ends.forces, 1e-2 * tolerance));
}

INSTANTIATE_TEST_SUITE_P(Methods, DenseOutput,
                         testing::Values("auto", "gauss", "radau", "tangent", "dop853", "dopri5", "adams", "svd",
                                         "svd-dop853", "radau5", "radau9", "radau13", "bdf", "generalized-alpha",
                                         "half-explicit"),
                         [](const auto& entry) {
                           std::string name = entry.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(HalfExplicit, ReportsAccelerationsThatSatisfyTheConstraints) {
  const auto method = find_method("half-explicit").make(*pendulum, Form::ggl, Tolerances::uniform(1e-5, 1e-5));
  const State end = advance(*method, pendulum_start(), 1.0);
  Matrix G(1, 2);
  Vector bias(1);
  pendulum->jacobian(end.t, end.q, G);
  pendulum->acceleration_bias(end.t, end.q, end.v, bias);
  EXPECT_LT(std::abs((G * end.a - bias)[0]), 1e-11);
}

}  // namespace
}  // namespace raak

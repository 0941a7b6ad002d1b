// Inside a step the dense output is as good as the end of the step, and so are accelerations at its end.
#include "methods/refined_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "methods/test_pendulum.h"

namespace raak {
namespace {

State advance(Integrator& method, const State& start, double until) {
  double h = method.begin(start, until);
  while (method.time() != until) {
    const bool last = std::abs(h) >= std::abs(until - method.time());
    const Attempt attempt = method.attempt(last ? until : method.time() + h);
    h = attempt.acceptable ? method.accept() : attempt.retry_step;
  }
  return method.current();
}

State exact_at(const State& from, double t) {
  return advance(*find_method("dop853").make(*pendulum, "index1", Tolerances::uniform(1e-14, 1e-14)), from, t);
}

double distance_in_q_and_v(const State& a, const Vector& q, const Vector& v) {
  return std::max((a.q - q).cwiseAbs().maxCoeff(), (a.v - v).cwiseAbs().maxCoeff());
}

class DenseOutput : public testing::TestWithParam<const char*> {};

TEST_P(DenseOutput, IsAsAccurateInsideAStepAsAtItsEnd) {
  const auto method =
      find_method(GetParam()).make(*pendulum, find_method(GetParam()).forms.front(), Tolerances::uniform(1e-8, 1e-8));
  double h = method->begin(pendulum_start(), 1.0);
  Vector q(2), v(2);
  double inside = 0.0;
  double at_ends = 0.0;
  while (method->current().t != 1.0) {
    const State before = method->current();
    const Attempt attempt = method->attempt(std::min(1.0, before.t + h));
    h = attempt.acceptable ? method->accept() : attempt.retry_step;
    if (!attempt.acceptable) continue;
    const State& end = method->current();
    at_ends = std::max(at_ends, distance_in_q_and_v(exact_at(before, end.t), end.q, end.v));
    for (const double x : {0.15, 0.5, 0.85}) {
      const double t = before.t + x * (end.t - before.t);
      method->interpolate(t, q, v);
      inside = std::max(inside, distance_in_q_and_v(exact_at(before, t), q, v));
    }
  }
  EXPECT_LT(inside, 2.5 * at_ends + 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Methods, DenseOutput,
                         testing::Values("dop853", "svd-dop853", "dopri5", "half-explicit", "radau5", "radau9",
                                         "radau13", "radau"),
                         [](const auto& entry) {
                           std::string name = entry.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(HalfExplicit, ReportsAccelerationsThatSatisfyTheConstraints) {
  const auto method = find_method("half-explicit").make(*pendulum, "ggl", Tolerances::uniform(1e-5, 1e-5));
  const State end = advance(*method, pendulum_start(), 1.0);
  Matrix G(1, 2);
  Vector bias(1);
  pendulum->jacobian(end.t, end.q, G);
  pendulum->acceleration_bias(end.t, end.q, end.v, bias);
  EXPECT_LT(std::abs((G * end.a - bias)[0]), 1e-11);
}

}  // namespace
}  // namespace raak

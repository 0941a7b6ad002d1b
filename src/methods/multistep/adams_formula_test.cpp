#include "methods/multistep/adams_formula.h"

#include <gtest/gtest.h>

#include <cmath>

namespace raak {
namespace {

struct Solution {
  Vector y;
  int steps = 0;
  int highest_order = 0;
};

// The driver of D02CAF in a few lines: y' = f(t, y) from t to t_end, local error below tol * max(1, |y|).
template <class F>
Solution solve(F&& f, double t, Vector y, double t_end, double tolerance) {
  Vector current = y;
  AdamsFormula formula(y.size(), [&](const Vector& e) {
    return (e.cwiseAbs().array() / (tolerance * current.cwiseAbs().cwiseMax(1.0).array())).maxCoeff();
  });
  Vector predicted(y.size()), next(y.size()), slope = f(t, y);
  double h = formula.begin(slope, t_end - t);
  Solution s;
  while (t != t_end && s.steps < 100000) {
    const double to = std::abs(h) >= std::abs(t_end - t) ? t_end : t + h;
    formula.predict(to - t, current, predicted);
    if (formula.error(f(to, predicted)) > 1.0) {
      h = formula.reject();
      continue;
    }
    formula.correct(predicted, next);
    t = to;
    current = next;
    s.highest_order = std::max(s.highest_order, formula.order());
    h = formula.accept(f(t, current));
    ++s.steps;
  }
  s.y = current;
  return s;
}

Vector projectile(double, const Vector& y) {
  const double slope = std::tan(y[2]);
  return (Vector(3) << slope, -0.032 * slope / y[1] - 0.02 * y[1] / std::cos(y[2]), -0.032 / (y[1] * y[1])).finished();
}

// The example of D02CAF (NAG mark 7, section 13): its printed results are themselves good to a few times the tolerance.
TEST(AdamsFormula, ReproducesTheProjectileOfD02CAF) {
  const Vector start = (Vector(3) << 0.0, 0.5, 0.2 * M_PI).finished();
  const Vector exact = solve(projectile, 0.0, start, 8.0, 1e-13).y;
  const Vector printed4 = (Vector(3) << -1.2455, 0.51293, -0.85383).finished();
  const Vector printed5 = (Vector(3) << -1.2460, 0.51300, -0.85371).finished();
  const Vector found4 = solve(projectile, 0.0, start, 8.0, 1e-4).y;
  const Vector found5 = solve(projectile, 0.0, start, 8.0, 1e-5).y;
  EXPECT_LT((found4 - printed4).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_LT((found5 - printed5).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_LT((exact - printed5).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_LT((found5 - exact).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_LT((found5 - exact).norm(), 0.5 * (found4 - exact).norm());
}

TEST(AdamsFormula, ErrorFollowsTheToleranceDownToDoublePrecision) {
  const auto circle = [](double, const Vector& y) { return (Vector(2) << y[1], -y[0]).finished(); };
  const Vector start = (Vector(2) << 1.0, 0.0).finished();
  double previous = 1.0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    const Solution s = solve(circle, 0.0, start, 20.0, tolerance);
    const double error = std::hypot(s.y[0] - std::cos(20.0), s.y[1] + std::sin(20.0));
    EXPECT_LT(error, 30.0 * tolerance);
    EXPECT_LT(error, previous);
    previous = error;
  }
}

TEST(AdamsFormula, UsesEveryOrderUpToTwelveAndNoneBeyond) {
  // A smooth derivative and a wide tolerance: the order rises by one at every step.
  const auto f = [](double t) { return Vector::Constant(1, std::exp(t)); };
  AdamsFormula formula(1, [](const Vector& e) { return std::abs(e[0]); });
  Vector y = Vector::Ones(1), predicted(1);
  formula.begin(f(0.0), 1.0);
  for (int step = 1; step < 15; ++step) {
    EXPECT_EQ(formula.order(), std::min(step, AdamsFormula::highest_order));
    const double t = 0.2 * step;
    formula.predict(0.2, y, predicted);
    formula.error(f(t));
    formula.correct(predicted, y);
    formula.accept(f(t));
  }
}

TEST(AdamsFormula, IntegratesBackwards) {
  const auto decay = [](double t, const Vector& y) { return Vector(-t * y); };
  const Vector there = solve(decay, 0.0, Vector::Ones(1), 2.0, 1e-11).y;
  EXPECT_NEAR(there[0], std::exp(-2.0), 1e-10);
  EXPECT_NEAR(solve(decay, 2.0, there, 0.0, 1e-11).y[0], 1.0, 1e-9);
}

TEST(AdamsFormula, PolynomialsOfItsOrderAreExactOnUnequalSteps) {
  // y' = p(t) of degree 3: once four differences are known, prediction and interpolation are exact.
  const auto p = [](double t) { return Vector::Constant(1, 1.0 - 2.0 * t + 3.0 * t * t - t * t * t); };
  const auto P = [](double t) { return t - t * t + t * t * t - 0.25 * t * t * t * t; };
  AdamsFormula formula(1, [](const Vector& e) { return std::abs(e[0]); });
  int exact_steps = 0;
  Vector y = Vector::Zero(1), predicted(1), inside(1);
  formula.begin(p(0.0), 1.0);
  double t = 0.0;
  const double steps[] = {0.1, 0.17, 0.08, 0.2, 0.11, 0.15};
  for (const double h : steps) {
    formula.predict(h, y, predicted);
    formula.error(p(t + h));
    formula.correct(predicted, y);
    t += h;
    const bool history_complete = formula.order() >= 4;
    if (!history_complete) y[0] = P(t);  // exact past, as the formula assumes
    formula.accept(p(t));
    if (!history_complete) continue;
    ++exact_steps;
    EXPECT_NEAR(predicted[0], P(t), 1e-15);
    EXPECT_NEAR(y[0], P(t), 1e-15);
    formula.interpolate(-0.4 * h, y, inside);
    EXPECT_NEAR(inside[0], P(t - 0.4 * h), 1e-15);
  }
  EXPECT_GE(exact_steps, 2);
}

}  // namespace
}  // namespace raak

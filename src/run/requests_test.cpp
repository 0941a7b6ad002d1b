// What integrate() refuses before its first step: plans, starts and tolerances that cannot be meant.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "run/test_runs.h"

namespace raak {
namespace {

TEST(Requests, RefusesAPlanThatMakesNoSense) {
  const auto refused = [](auto&& change) {
    Plan plan = plan_until(1.0);
    change(plan);
    EXPECT_THROW(integrate(*point_pendulum, pendulum_start, plan), Error);
  };
  refused([](Plan& p) { p.until = std::nan(""); });
  refused([](Plan& p) { p.until = INFINITY; });
  refused([](Plan& p) { p.first_step = -1.0; });
  for (const double step : {std::nan(""), -0.1, -double{INFINITY}, double{INFINITY}})
    refused([&](Plan& p) { p.fixed_step = step; });
  refused([](Plan& p) { p.sample_times = {0.5, 0.2}; });
  refused([](Plan& p) { p.sample_times = {1.5}; });
}

// A point that keeps 1 m from (1000 m, 0).
struct FarPendulum {
  static constexpr int coordinates = 2;
  static constexpr int constraints = 1;

  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = 1.0; }
  void force(const auto&, const auto&, const auto&, auto& f) const { f[1] = -9.81; }
  void constraint(const auto&, const auto& q, auto& r) const {
    r[0] = (q[0] - 1000.0) * (q[0] - 1000.0) + q[1] * q[1] - 1.0;
  }
  auto potential(const auto&, const auto& q) const { return 9.81 * q[1]; }
  static Description description() { return {{"x", "y"}, {"rod"}, {}}; }
};

TEST(Requests, MeasuresTheGapAtTheStartBesideHowFarAwayItIs) {
  const auto system = make_system(FarPendulum{});
  State start = State::of_size(2, 1);
  const auto is_refused = [&](double gap) {
    start.q << 1000.0 + std::sqrt(1.0 + gap), 0.0;
    try {
      return integrate(*system, start, plan_until(0.01)).termination != Termination::ok;
    } catch (const Error&) {
      return true;
    }
  };
  EXPECT_FALSE(is_refused(5e-4));
  EXPECT_TRUE(is_refused(5e-3));
}

std::string refusal_of(const State& start, const Plan& plan) {
  try {
    integrate(*point_pendulum, start, plan);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::request);
    return error.what();
  }
  return "accepted";
}

TEST(Requests, RefusesAStartOfAnotherSizeWithBothSizes) {
  const auto refused = [](auto&& change) {
    State start = pendulum_start;
    change(start);
    return refusal_of(start, plan_until(1.0));
  };
  const auto says = [](const std::string& text, const char* words) { EXPECT_EQ(text.rfind(words, 0), 0U) << text; };
  says(refused([](State& s) { s.q = Vector::Zero(5); }), "the start has 5 positions (q), and the system 2");
  says(refused([](State& s) { s.v.resize(0); }), "the start has 0 velocities (v), and the system 2");
  says(refused([](State& s) { s.a = Vector::Zero(3); }), "the start has 3 accelerations (a), and the system 2");
  says(refused([](State& s) { s.lambda.resize(0); }), "the start has 0 multipliers (lambda), and the system 1");
}

TEST(Requests, RefusesAStartAtNoTime) {
  for (const double wrong : {std::nan(""), static_cast<double>(INFINITY)}) {
    State start = pendulum_start;
    start.t = wrong;
    const std::string text = refusal_of(start, plan_until(1.0));
    EXPECT_EQ(text.rfind("the time of the start must be a finite number, found", 0), 0U) << text;
  }
}

TEST(Requests, RefusesTolerancesOfTheMultipliersThatAreNone) {
  for (const Tolerance& wrong : {Tolerance{std::nan(""), 1e-6}, Tolerance{1e-6, std::nan("")}, Tolerance{1e-6, -1.0}}) {
    Plan plan = plan_until(1.0, 1e-6, "dop853");
    plan.tolerances.lambda = wrong;
    const std::string text = refusal_of(pendulum_start, plan);
    EXPECT_EQ(text.rfind("the tolerances of the multipliers must not be below zero, found", 0), 0U) << text;
  }
  Plan plan = plan_until(1.0);
  plan.tolerances.lambda = {0.0, INFINITY};
  EXPECT_EQ(refusal_of(pendulum_start, plan), "accepted");
}

TEST(Requests, FindsAccelerationsAndMultipliersAnewThatDoNotFitTheEquations) {
  State moving = pendulum_start;
  moving.v = Vector{{0.3, 0.4}};  // along the circle
  State full = moving;
  complete_start(*point_pendulum, full);
  State unfilled = moving, wild = moving, without_multipliers = full;
  unfilled.a.setZero();
  unfilled.lambda.setZero();
  wild.a.setConstant(1e6);
  wild.lambda.setConstant(INFINITY);
  without_multipliers.lambda.setConstant(std::nan(""));
  for (const MethodInfo& method : method_catalogue()) {
    const Plan plan = plan_until(0.5, 1e-5, method.name);
    const Result expected = integrate(*point_pendulum, full, plan);
    ASSERT_EQ(expected.termination, Termination::ok) << method.name;
    EXPECT_EQ(expected.start.a, full.a);
    for (const State& start : {unfilled, wild, without_multipliers}) {
      const Result result = integrate(*point_pendulum, start, plan);
      EXPECT_EQ(result.end.q, expected.end.q) << method.name;
      EXPECT_EQ(result.start.a, full.a) << method.name;
      EXPECT_EQ(result.start.lambda, full.lambda) << method.name;
    }
  }
}

TEST(Requests, RefusesAStartThatViolatesTheConstraintsAndSaysByHowMuch) {
  State start = pendulum_start;
  start.q *= 1.01;
  std::string text = refusal_of(start, plan_until(1.0));
  EXPECT_EQ(text.rfind("the start does not satisfy the constraints: position row \"rod\" is off by", 0), 0U) << text;
  EXPECT_NE(text.find("consistent start"), std::string::npos) << text;
  start = pendulum_start;
  start.v += 0.1 * start.q;
  text = refusal_of(start, plan_until(1.0));
  EXPECT_NE(text.find("the rate of row \"rod\" is off by"), std::string::npos) << text;
}

// A slider beside its guide: far away a tiny angle would close the gap.
struct FarSlider {
  static constexpr int coordinates = 2, constraints = 1;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = 1.0; }
  void force(const auto&, const auto&, const auto&, auto&) const {}
  void constraint(const auto&, const auto& q, auto& g) const { g[0] = q[0] * sin(q[1]) - 0.1; }
  static Description description() { return {{"x", "angle"}, {"guide"}, {}}; }
};

TEST(Requests, RefusesAGapHoweverFarAwayTheStartIs) {
  const auto slider = make_system(FarSlider{});
  State start = State::of_size(2, 1);
  start.q = Vector{{5e5, 0.0}};
  start.v.setZero();
  start.a.setZero();
  start.lambda.setZero();
  EXPECT_THROW(integrate(*slider, start, plan_until(1.0)), Error);
  start.q[1] = std::asin(0.1 / 5e5);
  EXPECT_NO_THROW(integrate(*slider, start, plan_until(1.0)));
}

TEST(Requests, RefusesAnEventWithoutAFunctionAndABudgetBelowZero) {
  Plan plan = plan_until(1.0);
  plan.events = {{"empty", {}}};
  EXPECT_EQ(refusal_of(pendulum_start, plan), "event \"empty\" has no function to watch: set Event::value");
  plan = plan_until(1.0);
  plan.max_steps = -3;
  EXPECT_NE(refusal_of(pendulum_start, plan).find("found -3"), std::string::npos);
}

TEST(Requests, RefusesAFirstStepThatIsLostInTheRoundingOfTheTime) {
  Plan plan = plan_until(1.0);
  plan.first_step = 1e-30;
  EXPECT_EQ(refusal_of(pendulum_start, plan).rfind("a first step of 1e-30 s is lost in the rounding of the time", 0),
            0U);
}

TEST(Requests, RefusesTolerancesAndForms) {
  const auto message = [](const Plan& plan) -> std::string {
    try {
      integrate(*point_pendulum, pendulum_start, plan);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::request);
      return e.what();
    }
    return "";
  };
  for (const double wrong : {0.0, -1e-6, std::nan(""), static_cast<double>(INFINITY)})
    EXPECT_NE(message(plan_until(1.0, wrong)).find("rtol must be a positive number, found"), std::string::npos);
  Plan plan = plan_until(1.0, 1e-6, "svd");
  plan.form = Form::index2;
  EXPECT_EQ(message(plan), "method \"svd\" has no form \"index2\"; it has: index1, index3, ggl");
}

TEST(Requests, IntegratesAtTheLimitOfDoublePrecisionWhereMoreIsAskedFor) {
  for (const double tiny : {2e-15, 1e-16, 1e-300, 1e-320}) {
    const Result warned = integrate(*point_pendulum, pendulum_start, plan_until(0.1, tiny));
    EXPECT_EQ(warned.termination, Termination::ok) << tiny;
    ASSERT_EQ(warned.warnings().size(), 1U) << tiny;
    EXPECT_NE(warned.warnings()[0].find("below what double precision can hold"), std::string::npos);
    for (const Tolerance& used : {warned.tolerances.q, warned.tolerances.v, warned.tolerances.lambda}) {
      EXPECT_EQ(used.rtol, 1e-14) << tiny;
      EXPECT_NEAR(used.atol, 1e-14, 1e-20) << tiny;
    }
  }
  Plan plan = plan_until(0.1);
  plan.tolerances = Tolerances::uniform(1e-300, 1e-6);  // holds 1e-6, and needs no more
  EXPECT_EQ(integrate(*point_pendulum, pendulum_start, plan).tolerances.q.atol, 1e-6);
}

}  // namespace
}  // namespace raak

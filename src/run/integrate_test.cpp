#include "run/integrate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "run/test_runs.h"

namespace raak {
namespace {

TEST(Integrate, SamplesWhereAskedWithoutShorteningSteps) {
  Plan plan = plan_until(2.0);
  const long steps = integrate(*point_pendulum, pendulum_start, plan).statistics.steps;
  plan.sample_times = {0.0, 0.5, 1.0, 1.25, 2.0};
  std::vector<double> times;
  std::vector<double> balance;
  const Result result = integrate(*point_pendulum, pendulum_start, plan, [&](const Sample& s) {
    times.push_back(s.state.t);
    balance.push_back(s.outputs[3]);
    EXPECT_NEAR(s.state.q.squaredNorm(), 2.25, 1e-8);
  });
  EXPECT_EQ(times, plan.sample_times);
  EXPECT_EQ(result.statistics.steps, steps);
  for (const double b : balance) EXPECT_LT(std::abs(b), 1e-7);
}

TEST(Integrate, RecordsEveryStepWhenNoTimesAreGiven) {
  long rows = 0;
  const Result result = integrate(*point_pendulum, pendulum_start, plan_until(1.0), [&](const Sample&) { ++rows; });
  EXPECT_EQ(rows, result.statistics.accepted + 1);
  EXPECT_EQ(result.statistics.steps, result.statistics.accepted + result.statistics.rejected);
  EXPECT_EQ(result.end.t, 1.0);
}

TEST(Integrate, IsWatchedWithoutBeingChanged) {
  Plan plan = plan_until(2.0);
  std::vector<double> rows, watched_rows, frames, lengths;
  const auto keep = [](std::vector<double>& list) {
    return [&list](const Sample& s) { list.insert(list.end(), {s.state.t, s.state.q[0], s.state.a[1], s.outputs[3]}); };
  };
  const Result alone = integrate(*point_pendulum, pendulum_start, plan, keep(rows));
  plan.frame_times = {0.0, 0.3, 1.7, 2.0};
  plan.frame = [&](const Sample& s) { frames.push_back(s.state.t); };
  double last = 0.0;
  plan.step_taken = [&](const StepReport& step) {
    lengths.push_back(step.h);
    EXPECT_NEAR(step.t - last, step.h, 1e-15);
    EXPECT_GT(step.order, 0);
    EXPECT_LT(step.position_residual, 1e-8);
    last = step.t;
  };
  const Result watched = integrate(*point_pendulum, pendulum_start, plan, keep(watched_rows));
  EXPECT_EQ(rows, watched_rows);
  EXPECT_EQ(alone.end.q, watched.end.q);
  EXPECT_EQ(frames, plan.frame_times);
  EXPECT_EQ(static_cast<long>(lengths.size()), watched.statistics.accepted);
  plan.frame_times = {0.3, 0.2};
  EXPECT_THROW(integrate(*point_pendulum, pendulum_start, plan), Error);
}

TEST(Integrate, OutputsAreThoseOfTheEndWithOrWithoutMeasures) {
  Plan plan = plan_until(0.7);
  const Result measured = integrate(*point_pendulum, pendulum_start, plan);
  plan.measure_quality = false;
  const Result bare = integrate(*point_pendulum, pendulum_start, plan);
  EXPECT_EQ(bare.outputs[0], measured.outputs[0]);
  EXPECT_TRUE(std::isnan(bare.outputs[3]));  // nobody followed the work
  EXPECT_TRUE(std::isnan(bare.quality.energy_drift));
  double last = 1.0;
  integrate(*point_pendulum, pendulum_start, plan, [&](const Sample& s) { last = s.outputs[3]; });
  EXPECT_LT(std::abs(last), 1e-8);
}

// Index 2 lets the positions drift off, and between the steps of any method the dense output violates more than their
// ends do: each row has its own.
TEST(Integrate, EveryRowHasTheViolationOfItsOwnState) {
  for (const Form form : {Form::index1, Form::index2}) {
    Plan plan = plan_until(2.0);
    plan.method = form == Form::index2 ? "radau5" : "dopri5";
    plan.form = form;
    plan.tolerances = Tolerances::uniform(1e-4, 1e-4);
    double largest = 0.0;
    const auto look = [&](const Sample& s) {
      const Vector& q = s.state.q;
      Vector g(1), c(1);
      point_pendulum->constraint(s.state.t, q, g);
      point_pendulum->velocity_constraint(s.state.t, q, s.state.v, c);
      const auto violation = s.outputs.tail<violation_outputs>();
      EXPECT_EQ(violation[0], std::abs(g[0]));
      EXPECT_EQ(violation[1], std::abs(c[0]));
      largest = std::max(largest, violation[0]);
    };
    const Result steps = integrate(*point_pendulum, pendulum_start, plan, look);
    EXPECT_EQ(largest, steps.quality.position_residual);
    plan.sample_times = {0.0, 0.111, 0.777, 1.3, 2.0};
    integrate(*point_pendulum, pendulum_start, plan, look);
    EXPECT_GT(largest, 1e-12) << name_of(form);
    EXPECT_EQ(output_names(*point_pendulum).back(), "violation.velocity");
  }
}

TEST(Integrate, TellsTheTimeOfRecordingFromThatOfTheIntegration) {
  Plan plan = plan_until(1.0);
  plan.measure_quality = false;
  EXPECT_EQ(integrate(*point_pendulum, pendulum_start, plan).recording_seconds, 0.0);
  volatile double work = 0.0;
  const Result result = integrate(*point_pendulum, pendulum_start, plan, [&](const Sample&) {
    for (int i = 0; i < 100'000; ++i) work = work + 1.0;
  });
  EXPECT_GT(result.recording_seconds, 2.0 * result.statistics.cpu_seconds);  // 50 times on an idle machine
}

TEST(Integrate, GoesBackwardsAndStaysPutForAnEmptySpan) {
  const Result there = integrate(*point_pendulum, pendulum_start, plan_until(-1.0));
  EXPECT_EQ(there.end.t, -1.0);
  const Result back = integrate(*point_pendulum, there.end, plan_until(0.0));
  EXPECT_LT((back.end.q - pendulum_start.q).norm(), 1e-8);
  EXPECT_EQ(integrate(*point_pendulum, pendulum_start, plan_until(0.0)).statistics.steps, 0);
}

TEST(Integrate, StopsWhenToldAndKeepsTheLastGoodState) {
  std::atomic<bool> stop = false;
  Plan plan = plan_until(1e6);
  plan.stop = &stop;
  int rows = 0;
  const Result result = integrate(*point_pendulum, pendulum_start, plan, [&](const Sample&) { stop = ++rows == 20; });
  EXPECT_EQ(result.termination, Termination::interrupted);
  EXPECT_NE(result.message.find("stopped at t ="), std::string::npos);
  EXPECT_TRUE(result.end.q.allFinite());
}

TEST(Integrate, SaysWhenTheBudgetIsUsedUp) {
  Plan plan = plan_until(100.0);
  plan.max_steps = 10;
  const Result result = integrate(*point_pendulum, pendulum_start, plan);
  EXPECT_EQ(result.termination, Termination::failed);
  EXPECT_EQ(result.statistics.steps, 10);
  EXPECT_NE(result.message.find("the budget of 10 steps is used up at t ="), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("needs more steps than the 10 that were allowed"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("Try: a larger max_steps"), std::string::npos) << result.message;
}

TEST(Integrate, SaysForHowLongItWouldHaveToGoOn) {
  Plan plan = plan_until(1e7, 1e-8, "bdf");
  State start = pendulum_start;
  start.t = -9e7;
  const Result result = integrate(*point_pendulum, start, plan);
  EXPECT_EQ(result.termination, Termination::failed);
  EXPECT_NE(result.message.find("with 1e+08 s to go"), std::string::npos) << result.message;
}

TEST(Integrate, StopsEarlyWhereTheEndIsOutOfReach) {
  Plan plan = plan_until(1e6, 1e-14, "bdf");
  const Result result = integrate(*point_pendulum, pendulum_start, plan);
  EXPECT_EQ(result.termination, Termination::failed);
  EXPECT_EQ(result.statistics.steps % 10000, 0);
  EXPECT_NE(result.message.find("cannot reach t = 1e+06 s"), std::string::npos) << result.message;
  plan.method = "auto";
  plan.fixed_step = 1e-300;
  EXPECT_THROW(integrate(*point_pendulum, pendulum_start, plan), Error);
}

TEST(Integrate, TellsWithinSecondsThatAMotionTakesFarTooManySteps) {
  Plan plan = plan_until(1e9, 1e-6, "dop853");
  const Result result = integrate(*point_pendulum, pendulum_start, plan);
  EXPECT_EQ(result.termination, Termination::failed);
  EXPECT_LE(result.statistics.steps, 50000);
  for (const char* words : {"cannot reach t = 1e+09 s", "the run is long for this method", "--until"})
    EXPECT_NE(result.message.find(words), std::string::npos) << result.message;
}

TEST(Integrate, TellsTheErrorThatRoundingKeepsAMethodFromHolding) {
  const auto warnings = [](const char* method, double rtol) {
    Plan plan = plan_until(0.1, rtol, method);
    return integrate(*point_pendulum, pendulum_start, plan).warnings();
  };
  ASSERT_EQ(warnings("generalized-alpha", 1e-9).size(), 1U);
  EXPECT_NE(warnings("generalized-alpha", 1e-9)[0].find("holding less than about 5e-09"), std::string::npos);
  ASSERT_EQ(warnings("bdf", 1e-11).size(), 1U);
  EXPECT_NE(warnings("bdf", 1e-11)[0].find("holding less than about 1e-10"), std::string::npos);
  EXPECT_EQ(warnings("generalized-alpha", 1e-8)[0].find("holding less"), std::string::npos);
}

TEST(Integrate, LeavesARestWithStepsOfAnyLength) {
  for (const char* method : {"auto", "gauss", "tangent", "radau", "dop853"}) {
    EXPECT_LT(integrate(*point_pendulum, pendulum_start, plan_until(1e-9, 1e-6, method)).statistics.steps, 10)
        << method;
    Plan plan = plan_until(1.0, 1e-6, method);
    plan.first_step = 1e-12;
    const Result result = integrate(*point_pendulum, pendulum_start, plan);
    EXPECT_EQ(result.termination, Termination::ok) << method << result.message;
    EXPECT_LT(result.statistics.steps, 200) << method;
  }
}

TEST(Integrate, SaysWhichToleranceAMethodIsMadeForWhenItsBudgetIsUsedUp) {
  Plan plan = plan_until(100.0, 1e-10, "generalized-alpha");
  plan.max_steps = 10;
  const Result result = integrate(*point_pendulum, pendulum_start, plan);
  EXPECT_EQ(result.termination, Termination::failed);
  for (const char* words : {"is not made for rtol = 1.0e-10", "Try: --rtol 1e-06"})
    EXPECT_NE(result.message.find(words), std::string::npos) << result.message;
  EXPECT_FALSE(result.warnings().empty());
}

TEST(Integrate, KeepsAFixedStepAndRefusesOneThatIsNone) {
  Plan plan = plan_until(1.0, 1e-6, "generalized-alpha");
  plan.fixed_step = 0.01;
  EXPECT_EQ(integrate(*point_pendulum, pendulum_start, plan).statistics.accepted, 100);
  plan.method = "gauss";
  plan.until = plan.fixed_step = 20.0;
  const Result parted = integrate(*point_pendulum, pendulum_start, plan);
  EXPECT_GT(parted.statistics.accepted, 1);
  ASSERT_FALSE(parted.warnings().empty());
  EXPECT_NE(parted.warnings().back().find("taken in parts"), std::string::npos) << parted.warnings().back();
  for (const double step : {-0.1, std::nan(""), HUGE_VAL}) {
    plan.fixed_step = step;
    EXPECT_THROW(integrate(*point_pendulum, pendulum_start, plan), Error);
  }
}

// x'' = 6 x^2 has the solution 1 / (1 - t)^2: it blows up at t = 1.
struct BlowUp {  // declares no potential: its energy balance means nothing
  static constexpr int coordinates = 1;
  static constexpr int constraints = 0;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = 1.0; }
  void force(const auto&, const auto& q, const auto&, auto& f) const { f[0] = 6.0 * q[0] * q[0]; }
  static Description description() { return {{"x"}, {}, {}}; }
};

TEST(Integrate, NamesTheGrowingQuantityWhenTheSolutionBlowsUp) {
  const auto system = make_system(BlowUp{});
  const State start = start_of(*system, {1.0}, {2.0}, {"x"}, {"x"});
  for (const char* method : {"dop853", "svd"}) {
    const Result result = integrate(*system, start, plan_until(2.0, 1e-8, method));
    EXPECT_EQ(result.termination, Termination::failed);
    EXPECT_NEAR(result.end.t, 1.0, 1e-3);
    EXPECT_TRUE(std::isnan(result.quality.energy_drift));
    EXPECT_NE(result.message.find("the velocity of \"x\" grows without bound"), std::string::npos) << result.message;
  }
}

// x'' = 1e4 x: x grows as exp(100 t), and no formula fails on the way.
struct Growing {
  static constexpr int coordinates = 1, constraints = 0;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = 1.0; }
  void force(const auto&, const auto& q, const auto&, auto& f) const { f[0] = 1e4 * q[0]; }
  static Description description() { return {{"x"}, {}, {}}; }
};

TEST(Integrate, EndsWhereTheMotionHasGrownBeyondTheRoundingOfItsStart) {
  const auto system = make_system(Growing{});
  const State start = start_of(*system, {1.0}, {0.0}, {"x"}, {"x"});
  for (const char* method : {"auto", "gauss", "tangent", "radau", "dop853", "adams"}) {
    const Result result = integrate(*system, start, plan_until(30.0, 1e-6, method));
    EXPECT_EQ(result.termination, Termination::failed) << method;
    EXPECT_LT(result.end.t, 1.0) << method;
    EXPECT_TRUE(result.end.q.allFinite()) << method;
    EXPECT_EQ(result.message.rfind("stopped at t = 0.", 0), 0U) << result.message;
    EXPECT_NE(result.message.find("the velocity of \"x\" grows without bound"), std::string::npos) << result.message;
  }
}

}  // namespace
}  // namespace raak

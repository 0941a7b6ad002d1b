#include "run/watches/events.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "run/integrate.h"
#include "run/test_pendulum.h"

namespace raak {
namespace {

double angle(const State& state) {
  return state.q[2];
}
double rate(const State& state) {
  return state.v[2];
}

Result run(double until, std::vector<Event> events, const Observer& observer = {}, const std::string& method = "auto",
           double tolerance = 1e-12) {
  Plan plan;
  plan.until = until;
  plan.method = method;
  plan.tolerances = Tolerances::uniform(tolerance, tolerance);
  plan.events = std::move(events);
  return integrate(*pendulum, start_at_rest(), plan, observer);
}

TEST(FindRoot, LocatesARootFromEitherSide) {
  const auto f = [](double x) { return std::cos(x) - x; };
  const double root = 0.73908513321516064166;
  EXPECT_NEAR(find_root(f, 0.0, f(0.0), 1.0, f(1.0), 1e-15), root, 2e-15);
  EXPECT_NEAR(find_root(f, 1.0, f(1.0), 0.0, f(0.0), 1e-15), root, 2e-15);
}

TEST(FindRoot, NeedsLittleMoreThanBisectionAtItsWorst) {
  int calls = 0;
  const auto f = [&](double x) {
    ++calls;
    return std::pow(x - 0.1, 9);
  };
  EXPECT_NEAR(find_root(f, 0.0, f(0.0), 1.0, f(1.0), 1e-12), 0.1, 1e-12);
  EXPECT_LE(calls, 50);
}

TEST(Events, FindThePassagesOfThePendulumThroughItsLowestPoint) {
  const Result result = run(2.0 * period, {{"lowest", angle}});
  ASSERT_EQ(result.events.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const EventRecord& event = result.events[i];
    EXPECT_EQ(event.name, "lowest");
    EXPECT_NEAR(event.state.t, (0.25 + 0.5 * static_cast<double>(i)) * period, 1e-9);
    EXPECT_NEAR(event.state.q[2], 0.0, 1e-12);
    EXPECT_NEAR(event.state.a[2], 0.0, 1e-9);
  }
  EXPECT_EQ(result.end.t, 2.0 * period);
  EXPECT_TRUE(result.message.empty());
}

TEST(Events, AreFoundOnTheDenseOutputOfEveryMethod) {
  for (const MethodInfo& method : method_catalogue()) {
    const Result result = run(2.0 * period, {{"lowest", angle}}, {}, method.name, 1e-7);
    ASSERT_EQ(result.termination, Termination::ok) << method.name << ": " << result.message;
    ASSERT_EQ(result.events.size(), 4U) << method.name;
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(result.events[i].state.t, (0.25 + 0.5 * static_cast<double>(i)) * period, 1e-5) << method.name;
      EXPECT_NEAR(result.events[i].state.q[2], 0.0, 1e-12) << method.name;
    }
  }
}

TEST(Events, DoNotChangeTheSteps) {
  const Result with = run(2.0 * period, {{"lowest", angle}, {"turn", rate}});
  const Result without = run(2.0 * period, {});
  EXPECT_EQ(with.statistics.steps, without.statistics.steps);
  EXPECT_EQ(with.end.q, without.end.q);
}

TEST(Events, KeepToTheirDirection) {
  const Result up = run(2.0 * period, {{"lowest", angle, Event::Direction::up}});
  ASSERT_EQ(up.events.size(), 2U);
  EXPECT_NEAR(up.events[0].state.t, 0.75 * period, 1e-9);
  const Result down = run(2.0 * period, {{"lowest", angle, Event::Direction::down}});
  ASSERT_EQ(down.events.size(), 2U);
  EXPECT_NEAR(down.events[0].state.t, 0.25 * period, 1e-9);
}

TEST(Events, ThatAreZeroAtTheStartDoNotCountThere) {
  const Result result = run(0.9 * period, {{"turn", rate}});
  ASSERT_EQ(result.events.size(), 1U);
  EXPECT_NEAR(result.events[0].state.t, 0.5 * period, 1e-9);
}

TEST(Events, OfOneStepComeInTheOrderOfTime) {
  const auto after = [](double t) { return [t](const State& state) { return state.t - t; }; };
  const std::vector<Event> listed{{"third", after(0.1003)}, {"first", after(0.1001)}, {"second", after(0.1002)}};
  const Result result = run(0.2, listed);
  ASSERT_EQ(result.events.size(), 3U);
  EXPECT_EQ(result.events[0].name, "first");
  EXPECT_EQ(result.events[1].name, "second");
  EXPECT_EQ(result.events[2].name, "third");
  EXPECT_NEAR(result.events[1].state.t, 0.1002, 1e-12);
}

TEST(Events, EndTheRunExactlyThereWhenAskedTo) {
  std::vector<double> times;
  const Event stop{"lowest", angle, Event::Direction::up, Event::Action::stop};
  const Event too_late{"late", [](const State& s) { return s.t - 0.7500001 * period; }};
  const Result result = run(5.0, {too_late, stop}, [&](const Sample& sample) { times.push_back(sample.state.t); });
  EXPECT_EQ(result.termination, Termination::ok);
  EXPECT_EQ(result.message.rfind("event \"lowest\" ended the run at t = 1.96064216", 0), 0U) << result.message;
  ASSERT_EQ(result.events.size(), 1U);
  EXPECT_NEAR(result.end.t, 0.75 * period, 1e-9);
  EXPECT_EQ(result.end.q, result.events[0].state.q);
  EXPECT_EQ(times.back(), result.end.t);
  EXPECT_LT(result.quality.energy_drift, 1e-9);
}

TEST(Events, AreMetInReverseByABackwardsRun) {
  const Result result = run(-0.9 * period, {{"lowest", angle}, {"turn", rate}});
  ASSERT_EQ(result.events.size(), 3U);
  EXPECT_NEAR(result.events[0].state.t, -0.25 * period, 1e-9);
  EXPECT_EQ(result.events[1].name, "turn");
  EXPECT_NEAR(result.events[1].state.t, -0.5 * period, 1e-9);
  EXPECT_NEAR(result.events[2].state.t, -0.75 * period, 1e-9);
  // Backwards from pi/6 the angle falls through zero first.
  EXPECT_EQ(run(-0.5 * period, {{"lowest", angle, Event::Direction::down}}).events.size(), 1U);
  EXPECT_EQ(run(-0.5 * period, {{"lowest", angle, Event::Direction::up}}).events.size(), 0U);
}

TEST(Events, OfAFastFunctionAreAllFoundInLongSteps) {
  const auto fast = [](const State& s) { return std::sin(300.0 * s.t + 0.1); };
  const Result result = run(1.0, {{"fast", fast}}, {}, "gauss", 1e-4);
  ASSERT_LT(result.statistics.steps, 20);
  EXPECT_EQ(result.events.size(), 95U);
  // Between two zeros in one direction lies one in the other, in the very middle.
  EXPECT_EQ(run(1.0, {{"fast", fast, Event::Direction::up}}, {}, "gauss", 1e-4).events.size(), 47U);
  EXPECT_EQ(run(1.0, {{"fast", fast, Event::Direction::down}}, {}, "gauss", 1e-4).events.size(), 48U);
}

TEST(Events, ThatKeepTimeWithTheNodesOfAStepAreAllFound) {
  Plan plan;
  plan.until = 0.4;
  plan.method = "gauss";
  plan.fixed_step = 0.1;
  // Nodes at sixteenths of the step meet whole periods.
  const double speed = 2.0 * std::numbers::pi * 16.0 / plan.fixed_step;
  plan.events = {{"fast", [&](const State& s) { return std::sin(speed * s.t + 0.3); }}};
  const Result result = integrate(*pendulum, start_at_rest(), plan);
  EXPECT_EQ(result.events.size(), 128U);
  EXPECT_TRUE(result.warnings().empty()) << result.warnings().front();
}

TEST(Events, ThatVaryTooFastForAnyNodesAreWarnedOf) {
  const Result result = run(1.0, {{"buzz", [](const State& s) { return std::sin(1e6 * s.t); }}}, {}, "gauss", 1e-4);
  ASSERT_EQ(result.warnings().size(), 1U);
  EXPECT_EQ(result.warnings()[0].rfind("event \"buzz\" varies so fast from t = 0 s on", 0), 0U) << result.warnings()[0];
}

TEST(Events, ThatVaryTooFastAreToldFromTheFirstStepOnWhateverTheNodesMeet) {
  for (const double rate : {3e5, 1e6, 1.3e6, 1.7e6, 1e7})
    for (const char* method : {"auto", "dop853", "radau"}) {
      const Result result =
          run(1.0, {{"buzz", [&](const State& s) { return std::sin(rate * s.t); }}}, {}, method, 1e-6);
      ASSERT_EQ(result.warnings().size(), 1U) << rate << " " << method;
      EXPECT_NE(result.warnings()[0].find("from t = 0 s on"), std::string::npos)
          << rate << " " << method << result.warnings()[0];
    }
}

TEST(Events, ThatJumpAreFoundWithoutAWarning) {
  const Result result = run(1.0, {{"jump", [](const State& s) { return s.t < 0.3 ? -1.0 : 1.0; }}});
  ASSERT_EQ(result.events.size(), 1U);
  EXPECT_NEAR(result.events[0].state.t, 0.3, 1e-12);
  EXPECT_TRUE(result.warnings().empty());
}

TEST(Events, ThatEndTheRunLeaveASampleThereBesideTheTimesAskedFor) {
  Plan plan;
  plan.until = 5.0;
  plan.sample_times = {0.0, 0.5, 4.0};
  plan.events = {{"lowest", angle, Event::Direction::any, Event::Action::stop}};
  std::vector<double> times;
  const Result result =
      integrate(*pendulum, start_at_rest(), plan, [&](const Sample& sample) { times.push_back(sample.state.t); });
  EXPECT_EQ(times, (std::vector<double>{0.0, 0.5, result.end.t}));
}

TEST(Events, ThatReachOverZeroOnlyBrieflyAreFoundBothWays) {
  const auto nearly_highest = [](const State& s) { return s.q[2] - (std::numbers::pi / 6.0 - 1e-4); };
  for (const char* method : {"gauss", "tangent", "radau", "dop853", "dopri5"})
    EXPECT_EQ(run(1.2 * period, {{"high", nearly_highest}}, {}, method).events.size(), 3U) << method;
}

TEST(Events, ThatReachOverZeroOnlyBrieflyAreFoundShortlyBeforeTheEndOfAStep) {
  const auto nearly_highest = [](const State& s) { return s.q[2] - (std::numbers::pi / 6.0 - 1e-4); };
  for (const char* method : {"gauss", "tangent", "radau", "dop853", "dopri5"})
    for (double after = 0.004; after < 0.1; after *= 1.1)
      EXPECT_EQ(run((1.0 + after) * period, {{"high", nearly_highest}}, {}, method).events.size(), 3U)
          << method << ' ' << after;
}

TEST(Events, ThatStayZeroAreWhereTheyFirstAre) {
  const auto way = [](const State& s) { return s.t - 0.5 * s.t * s.t; };
  const auto until_wall = [&](const State& s) { return std::min(way(s) - 0.32, 0.0); };
  const auto rest = [](const State& s) { return s.t < 0.3 ? -1.0 : s.t < 0.6 ? 0.0 : 1.0; };
  for (const char* method : {"auto", "gauss", "radau", "dop853", "adams"}) {
    const Result result = run(0.9, {{"wall", until_wall}, {"rest", rest}}, {}, method, 1e-8);
    ASSERT_EQ(result.events.size(), 2U) << method;
    EXPECT_EQ(result.events[0].name, "rest");
    EXPECT_NEAR(result.events[0].state.t, 0.3, 1e-12) << method;
    EXPECT_NEAR(result.events[1].state.t, 0.4, 1e-12) << method;
  }
}

TEST(Events, ThatTouchZeroExactlyAreNotRecordedTwice) {
  const auto recorded = [](double highest, const char* method) {
    const auto touch = [=](const State& s) {
      const double left = s.t - highest;
      return (0.5 - 0.5 * left * left) - 0.5;
    };
    return run(2.0, {{"touch", touch}}, {}, method, 1e-8).events.size();
  };
  std::size_t found = 0;
  for (const char* method : {"auto", "gauss", "dop853", "radau"})
    for (int i = 0; i < 200; ++i) {
      const std::size_t times = recorded(0.5 + 0.005 * i, method);
      EXPECT_LE(times, 1U) << method << " " << i;
      found += times;
    }
  EXPECT_GT(found, 100U);
}

TEST(Events, AtTheMomentOfAStopAreRecordedToo) {
  const auto half = [](const State& s) { return s.t - 0.5; };
  const Event stop{"stop", half, Event::Direction::any, Event::Action::stop};
  const Result result = run(1.0, {stop, {"mark", half}});
  ASSERT_EQ(result.events.size(), 2U);
  EXPECT_EQ(result.events[1].name, "stop");
}

TEST(Events, AreNoPolesAndNeedAFunctionOnBothSides) {
  EXPECT_TRUE(run(1.0, {{"pole", [](const State& s) { return 1.0 / (s.t - 0.7); }}}).events.empty());
  Plan plan;  // a node beside the pole
  plan.until = 1.0;
  plan.fixed_step = 0.01;
  plan.events = {{"pole", [](const State& s) { return 1.0 / (s.t - 0.7); }}};
  EXPECT_TRUE(integrate(*pendulum, start_at_rest(), plan).events.empty());
  const Result result = run(1.0, {{"root", [](const State& s) { return std::sqrt(s.t - 0.7) - 0.1; }}});
  ASSERT_EQ(result.events.size(), 1U);
  EXPECT_NEAR(result.events[0].state.t, 0.71, 1e-12);
}

TEST(Events, WithoutAMeaningAreNone) {
  EXPECT_TRUE(run(1.0, {{"nothing", [](const State&) { return NAN; }}}).events.empty());
}

}  // namespace
}  // namespace raak

// How much motions multiply errors, where closed forms tell.
#include "run/warnings/error_growth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "run/test_runs.h"

namespace raak {
namespace {

// A unit quaternion that no force acts on, as of a ball that turns: p'' = -|p'|^2 p, a great circle.
struct FreeQuaternion {
  static constexpr int coordinates = 4;
  static constexpr int constraints = 1;

  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = M(2, 2) = M(3, 3) = 4.0; }
  void force(const auto&, const auto&, const auto&, auto&) const {}
  void constraint(const auto&, const auto& q, auto& r) const {
    r[0] = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0;
  }
  auto potential(const auto&, const auto& q) const { return 0.0 * q[0]; }
  static Description description() { return {{"w", "x", "y", "z"}, {"unit"}, {}}; }
};

// v' = rate v.
struct Driven {
  static constexpr int coordinates = 1;
  static constexpr int constraints = 0;
  double rate = 30.0;

  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = 1.0; }
  void force(const auto&, const auto&, const auto& v, auto& f) const { f[0] = rate * v[0]; }
  auto potential(const auto&, const auto& q) const { return 0.0 * q[0]; }
  static Description description() { return {{"x"}, {}, {}}; }
};

// x'' = rate^2 x beside a coordinate that is free, and one whose motion dies out at 1e5 1/s.
struct Saddle {
  static constexpr int coordinates = 3;
  static constexpr int constraints = 0;
  double rate = 3.0;

  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = M(2, 2) = 1.0; }
  void force(const auto&, const auto& q, const auto& v, auto& f) const {
    f[0] = rate * rate * q[0];
    f[2] = -1e5 * v[2];
  }
  static Description description() { return {{"x", "free", "damped"}, {}, {}}; }
};

// Nothing acts on it.
struct Free {
  static constexpr int coordinates = 1;
  static constexpr int constraints = 0;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = 1.0; }
  void force(const auto&, const auto&, const auto&, auto&) const {}
  static Description description() { return {{"x"}, {}, {}}; }
};

Sensitivity sensitivity_of(const ConstrainedSystem& system, const State& start, Plan plan) {
  plan.estimate_sensitivity = true;
  const Result result = integrate(system, start, plan);
  EXPECT_EQ(result.termination, Termination::ok) << result.message;
  return result.sensitivity;
}

TEST(ErrorGrowth, FindsNoneInUniformRotationHoweverFast) {
  const auto system = make_system(FreeQuaternion{});
  for (const double omega : {3.0, 1e4})
    for (const char* method : {"auto", "gauss", "radau", "dop853"})
      for (const double rtol : {1e-4, 1e-9}) {
        const State start =
            start_of(*system, {1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.5 * omega}, {"x", "y", "z"}, {"x", "y", "z"});
        const Sensitivity found = sensitivity_of(*system, start, plan_until(3000.0 / omega, rtol, method));
        EXPECT_TRUE(found.known) << omega << ' ' << method << ' ' << rtol;
        EXPECT_LT(found.factor, 100.0) << omega << ' ' << method << ' ' << rtol;
      }
}

TEST(ErrorGrowth, FindsNoneWhereTheMotionGrowsAsItsErrorsDo) {
  const auto system = make_system(Driven{});
  for (const double speed : {0.5, 2.0, 100.0}) {
    const State start = start_of(*system, {0.0}, {speed}, {"x"}, {"x"});
    const Sensitivity found = sensitivity_of(*system, start, plan_until(1.0, 1e-6));
    EXPECT_TRUE(found.known);
    EXPECT_LT(found.factor, 100.0) << speed;
  }
}

TEST(ErrorGrowth, IsExponentialWhereAPendulumStandsUpright) {
  const double rate = std::sqrt(9.81 / 1.5);
  const State start = start_of(*point_pendulum, {1e-8, 1.5}, {0.0, 0.0}, {"x"}, {"x"});
  for (const char* method : {"auto", "gauss", "radau", "dop853"})
    for (const double rtol : {1e-6, 1e-10})
      for (const double until : {4.0, 6.0}) {
        const Sensitivity found = sensitivity_of(*point_pendulum, start, plan_until(until, rtol, method));
        EXPECT_TRUE(found.known);
        EXPECT_NEAR(std::log10(found.factor), rate * until / std::log(10.0), 0.7) << method << ' ' << rtol;
      }
}

// The method sees nothing that would limit its steps: exactly in the equilibrium, and off it by rounding.
TEST(ErrorGrowth, IsExponentialWhereAPendulumRestsUpright) {
  const double rate = std::sqrt(9.81 / 1.5);
  for (const double off : {0.0, 1e-16, 1e-13})
    for (const char* method : {"auto", "gauss", "radau", "dop853", "adams", "bdf"})
      for (const double rtol : {1e-4, 1e-6, 1e-10})
        for (const double until : {4.0, 8.0, 16.0}) {
          const State start = start_of(*point_pendulum, {off, 1.5}, {0.0, 0.0}, {"x"}, {"x"});
          const Sensitivity found = sensitivity_of(*point_pendulum, start, plan_until(until, rtol, method));
          EXPECT_TRUE(found.known) << method << ' ' << rtol << ' ' << until;
          // Once it falls errors grow more slowly.
          const double least = std::min(rate * until, -std::log(std::max(off, 1e-30) / 1.5));
          EXPECT_GT(std::log(found.factor), least - 7.0) << off << ' ' << method << ' ' << rtol << ' ' << until;
          EXPECT_LT(std::log(found.factor), rate * until + 3.0) << off << ' ' << method << ' ' << rtol << ' ' << until;
        }
}

// Beside a mode that dies out too fast for any estimate, at rest and on the move.
TEST(ErrorGrowth, IsExponentialBesideAStiffMode) {
  const auto system = make_system(Saddle{});
  for (const double speed : {0.0, 5.0})
    for (const char* method : {"auto", "radau", "bdf"}) {
      const State start =
          start_of(*system, {0.0, 0.0, 0.0}, {0.0, speed, 0.0}, {"x", "free", "damped"}, {"x", "free", "damped"});
      const Sensitivity found = sensitivity_of(*system, start, plan_until(10.0, 1e-6, method));
      EXPECT_TRUE(found.known) << speed << ' ' << method;
      EXPECT_NEAR(std::log(found.factor), 30.0, 5.0) << speed << ' ' << method;
    }
}

TEST(ErrorGrowth, FindsNoneWhereWhatRestsMayOnlyDrift) {
  const auto system = make_system(Free{});
  const State start = start_of(*system, {0.0}, {0.0}, {"x"}, {"x"});
  EXPECT_LT(sensitivity_of(*system, start, plan_until(1e8, 1e-6)).factor, 2.0);
}

TEST(ErrorGrowth, FindsNoneWhereAPendulumHangs) {
  const State start = start_of(*point_pendulum, {0.0, -1.5}, {0.0, 0.0}, {"x"}, {"x"});
  const Sensitivity found = sensitivity_of(*point_pendulum, start, plan_until(1e4, 1e-6));
  EXPECT_TRUE(found.known);
  EXPECT_LT(found.factor, 2.0);
}

}  // namespace
}  // namespace raak

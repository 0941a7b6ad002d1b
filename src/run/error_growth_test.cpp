// How much motions multiply errors, where closed forms tell.
#include "run/error_growth.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace raak

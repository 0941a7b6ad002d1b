// Forces that jump, against closed forms: every method ends its steps at the jumps.
#include "run/watches/discontinuities.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "kinematics/start/consistent_start.h"
#include "run/integrate.h"
#include "system/recorded/recorded_system.h"

namespace raak {
namespace {

// One mass of 1 kg on a line, under a force written over the recording scalar.
class Line : public Formulas {
 public:
  void mass(const Recorded&, const Reals&, SymmetricEntries& M) const override { M(0, 0) = 1.0; }
  void constraint(const Recorded&, const Reals&, Reals&) const override {}

 protected:
  static Recorded sign(const Recorded& x) { return x / (abs(x) + 1e-300); }
};

// Pushed back to x = 0 by a force of constant size: parabolas of period 4 s from x = 0.5 m.
class Valley final : public Line {
  void force(const Recorded&, const Reals& q, const Reals&, Reals& f) const override { f[0] = -sign(q[0]); }
};

// Pushed to and fro, one second each: x = k at t = 2 k.
class Shaken final : public Line {
  void force(const Recorded& t, const Reals&, const Reals&, Reals& f) const override { f[0] = sign(sin(pi * t)); }

 public:
  static constexpr double pi = 3.14159265358979323846;
};

// On a spring, pushed by 10 m/s^2 one way until t = 1 and the other way from there: until then x = 11 cos t - 10 from
// x = 1 m at rest.
class Turned final : public Line {
  void force(const Recorded& t, const Reals& q, const Reals&, Reals& f) const override {
    f[0] = -q[0] + 10.0 * sign(t - 1.0);
  }
};

// Thrown up a slope of 3 m/s^2 with dry friction of 5 m/s^2: it stops after v/8 s and stays.
class Slope final : public Line {
  void force(const Recorded&, const Reals&, const Reals& v, Reals& f) const override { f[0] = -3.0 - 5.0 * sign(v[0]); }
};

class Smooth final : public Line {
  void force(const Recorded&, const Reals& q, const Reals&, Reals& f) const override { f[0] = -sin(q[0]); }
};

template <class Force>
std::unique_ptr<RecordedSystem> make_line() {
  return std::make_unique<RecordedSystem>(std::make_shared<Force>(), 1, 0, 0, Description{{"x"}, {}, {}});
}

State start_of(const ConstrainedSystem& system, double x, double v) {
  StartRequest request;
  request.q = Vector::Constant(1, x);
  request.v = Vector::Constant(1, v);
  request.trusted_positions = request.trusted_velocities = {"x"};
  return make_consistent(system, request);
}

Plan plan_of(const MethodInfo& method, double until, double tolerance) {
  Plan plan;
  plan.until = until;
  plan.method = method.name;
  plan.tolerances = Tolerances::uniform(tolerance, tolerance);
  return plan;
}

class JumpingForce : public testing::TestWithParam<MethodInfo> {};

TEST_P(JumpingForce, ThatDependsOnThePositionCostsNoDigits) {
  const auto system = make_line<Valley>();
  const Result result = integrate(*system, start_of(*system, 0.5, 0.0), plan_of(GetParam(), 40.0, 1e-6));
  ASSERT_EQ(result.termination, Termination::ok) << result.message;
  EXPECT_NEAR(result.end.q[0], 0.5, 1e-4);
  EXPECT_NEAR(result.end.v[0], 0.0, 1e-4);
}

TEST_P(JumpingForce, ThatDependsOnTimeCostsNoDigitsAndFewRefusedSteps) {
  const auto system = make_line<Shaken>();
  const Result result = integrate(*system, start_of(*system, 0.0, 0.0), plan_of(GetParam(), 40.0, 1e-6));
  ASSERT_EQ(result.termination, Termination::ok) << result.message;
  EXPECT_NEAR(result.end.q[0], 20.0, 1e-4);
  EXPECT_NEAR(result.end.v[0], 0.0, 1e-5);
  EXPECT_LT(result.statistics.rejected, 5 * 40);
  EXPECT_LT(result.statistics.accepted, 60 * 40);
}

TEST_P(JumpingForce, WorksBackwards) {
  const auto system = make_line<Valley>();
  const Result result = integrate(*system, start_of(*system, 0.5, 0.0), plan_of(GetParam(), -8.0, 1e-6));
  ASSERT_EQ(result.termination, Termination::ok) << result.message;
  EXPECT_NEAR(result.end.q[0], 0.5, 1e-4);
}

// At the jump itself neither branch holds, and just behind it lies the other one: a method with a node at the end of
// its steps must not ask there.
TEST_P(JumpingForce, AtTheEndOfTheRunCostsNoDigits) {
  for (const double tolerance : {1e-3, 1e-6, 1e-8}) {
    const auto system = make_line<Turned>();
    const Result result = integrate(*system, start_of(*system, 1.0, 0.0), plan_of(GetParam(), 1.0, tolerance));
    ASSERT_EQ(result.termination, Termination::ok) << result.message;
    EXPECT_EQ(result.end.t, 1.0);
    EXPECT_NEAR(result.end.q[0], 11.0 * std::cos(1.0) - 10.0, 10.0 * tolerance);
    EXPECT_NEAR(result.end.v[0], -11.0 * std::sin(1.0), 10.0 * tolerance);
    EXPECT_NEAR(result.end.a[0], -11.0 * std::cos(1.0), 20.0 * tolerance);
  }
}

TEST_P(JumpingForce, ReachedByTheMotionAtTheEndOfTheRunIsNoFailure) {
  const auto system = make_line<Valley>();
  const Result result = integrate(*system, start_of(*system, 0.5, 0.0), plan_of(GetParam(), 1.0, 1e-6));
  ASSERT_EQ(result.termination, Termination::ok) << result.message;
  EXPECT_NEAR(result.end.q[0], 0.0, 1e-6);
  EXPECT_NEAR(result.end.v[0], -1.0, 1e-6);
}

// However close to it: some of the times lie where the motion follows a parabola from one branch to the other.
TEST_P(JumpingForce, IsPassedOnTheMotionAtEveryMoment) {
  const auto system = make_line<Shaken>();
  Plan plan = plan_of(GetParam(), 2.0, 1e-6);
  for (double before = 0.1; before > 1e-15; before *= 0.5) plan.sample_times.push_back(1.0 - before);
  for (double after = 1e-15; after < 0.1; after *= 2.0) plan.sample_times.push_back(1.0 + after);
  std::size_t seen = 0;
  const Result result = integrate(*system, start_of(*system, 0.0, 0.0), plan, [&](const Sample& sample) {
    const double t = sample.state.t, s = 2.0 - t;
    EXPECT_NEAR(sample.state.q[0], t < 1.0 ? 0.5 * t * t : 1.0 - 0.5 * s * s, 1e-5) << t - 1.0;
    EXPECT_NEAR(sample.state.v[0], t < 1.0 ? t : s, 1e-5) << t - 1.0;
    ++seen;
  });
  ASSERT_EQ(result.termination, Termination::ok) << result.message;
  EXPECT_EQ(seen, plan.sample_times.size());
}

INSTANTIATE_TEST_SUITE_P(Catalogue, JumpingForce, testing::ValuesIn(method_catalogue()), [](const auto& entry) {
  std::string name = entry.param.name;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST(DiscontinuityWatch, NamesFrictionThatSticks) {
  const auto system = make_line<Slope>();
  const Result result = integrate(*system, start_of(*system, 0.0, 4.0), plan_of(find_method("auto"), 1.0, 1e-6));
  EXPECT_EQ(result.termination, Termination::failed);
  EXPECT_NE(result.message.find("friction that sticks"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("tanh"), std::string::npos) << result.message;
  EXPECT_NEAR(result.end.q[0], 1.0, 1e-4);
}

TEST(Switches, AreFoundInFormulasThatBranchAndInNoOthers) {
  EXPECT_EQ(make_line<Smooth>()->switches(), 0);
  const auto system = make_line<Shaken>();
  ASSERT_EQ(system->switches(), 1);
  Vector values(1);
  system->evaluate_switches(0.25, Vector::Zero(1), Vector::Zero(1), values);
  EXPECT_NEAR(values[0], std::sin(0.25 * Shaken::pi), 1e-15);
}

}  // namespace
}  // namespace raak

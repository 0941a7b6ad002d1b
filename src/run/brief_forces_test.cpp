// Forces and drivers that act for a short time on what rests, against closed forms: no method steps over them.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>

#include "kinematics/start/consistent_start.h"
#include "run/integrate.h"
#include "system/recorded/recorded_system.h"
#include "system/time/time_formulas.h"

namespace raak {
namespace {

using Function = std::function<Recorded(const Recorded&)>;
const double pi = std::acos(-1.0);

Recorded larger(const Recorded& a, const Recorded& b) {
  return -min(-a, -b);
}
Recorded bump(const Recorded& t, double at, double width) {
  const Recorded u = (t - at) / width;
  return exp(-(u * u));
}

// 1 kg on a line.
class Pushed final : public Formulas {
 public:
  explicit Pushed(Function force) : force_(std::move(force)) {}
  void mass(const Recorded&, const Reals&, SymmetricEntries& M) const override { M(0, 0) = 1.0; }
  void force(const Recorded& t, const Reals&, const Reals&, Reals& f) const override { f[0] = force_(t); }
  void constraint(const Recorded&, const Reals&, Reals&) const override {}

 private:
  Function force_;
};

// The same with a force of the position.
class Passing final : public Formulas {
 public:
  explicit Passing(Function force) : force_(std::move(force)) {}
  void mass(const Recorded&, const Reals&, SymmetricEntries& M) const override { M(0, 0) = 1.0; }
  void force(const Recorded&, const Reals& q, const Reals&, Reals& f) const override { f[0] = force_(q[0]); }
  void constraint(const Recorded&, const Reals&, Reals&) const override {}

 private:
  Function force_;
};

// 1 kg in the plane on a light spring that is fixed in the origin.
class OnLightSpring final : public Formulas {
 public:
  static constexpr double stiffness = 4.0, length = 0.5;  // N/m, m
  void mass(const Recorded&, const Reals&, SymmetricEntries& M) const override { M(0, 0) = M(1, 1) = 1.0; }
  void force(const Recorded&, const Reals& q, const Reals&, Reals& f) const override {
    const Recorded distance = sqrt(q[0] * q[0] + q[1] * q[1]);
    for (std::size_t d = 0; d < 2; ++d) f[d] = -stiffness * (1.0 - length / distance) * q[d];
  }
  void constraint(const Recorded&, const Reals&, Reals&) const override {}
  static double energy(const State& at) {
    const double stretch = at.q.norm() - length;
    return 0.5 * at.v.squaredNorm() + 0.5 * stiffness * stretch * stretch;
  }
};

// 1 kg on a spring of 100 N/m, whose other end is driven.
class OnDrivenBase final : public Formulas {
 public:
  explicit OnDrivenBase(Function motion) : motion_(std::move(motion)) {}
  void mass(const Recorded&, const Reals&, SymmetricEntries& M) const override { M(0, 0) = M(1, 1) = 1.0; }
  void force(const Recorded&, const Reals& q, const Reals&, Reals& f) const override {
    f[0] = -100.0 * (q[0] - q[1]);
    f[1] = -f[0];
  }
  void constraint(const Recorded& t, const Reals& q, Reals& g) const override { g.push_back(q[1] - motion_(t)); }

 private:
  Function motion_;
};

State at_rest(const ConstrainedSystem& system, double t) {
  StartRequest request;
  request.t = t;
  request.q = request.v = Vector::Zero(system.coordinates());
  request.trusted_positions = request.trusted_velocities = {"x"};
  return make_consistent(system, request);
}

Plan plan_of(const MethodInfo& method, double until) {
  Plan plan;
  plan.until = until;
  plan.method = method.name;
  plan.tolerances = Tolerances::uniform(1e-6, 1e-6);
  return plan;
}

class BriefForce : public testing::TestWithParam<MethodInfo> {
 protected:
  // The velocity after a run from rest.
  static double velocity(const Function& force, double from, double until) {
    const RecordedSystem system(std::make_shared<Pushed>(force), 1, 0, 0, Description{{"x"}, {}, {}});
    const Result result = integrate(system, at_rest(system, from), plan_of(GetParam(), until));
    EXPECT_EQ(result.termination, Termination::ok) << result.message;
    EXPECT_EQ(result.end.t, until);
    return result.end.v[0];
  }
};

// Work of a bump in a place that is passed at 1 m/s: v^2 - 1 = 2 F sqrt(pi) width.
TEST_P(BriefForce, InANarrowPlaceIsNotSteppedOver) {
  for (const double width : {0.01, 0.1, 0.7})
    for (const double at : {2.0, 5.0}) {
      const auto force = [=](const Recorded& x) { return bump(x, at, width) / width; };
      const RecordedSystem system(std::make_shared<Passing>(force), 1, 0, 0, Description{{"x"}, {}, {}});
      State start = at_rest(system, 0.0);
      start.v[0] = 1.0;
      const Result result = integrate(system, completed_start(system, start), plan_of(GetParam(), 10.0));
      ASSERT_EQ(result.termination, Termination::ok) << result.message;
      EXPECT_NEAR(result.end.v[0], std::sqrt(1.0 + 2.0 * std::sqrt(pi)), 1e-3) << width << ' ' << at;
    }
}

// The ends of a spring pass each other at 8 m/s: within a millisecond its small force turns round.
TEST_P(BriefForce, OfASpringWhoseEndsNearlyMeetIsFollowed) {
  const double bound =
      GetParam().name == "radau" ? 1e-8 : 3e-9;  // near singular configurations radau bears no tighter test
  const RecordedSystem system(std::make_shared<OnLightSpring>(), 2, 0, 0, Description{{"x", "y"}, {}, {}});
  for (const double nearest : {1e-3, 2.5e-3, 6e-3})
    for (const double from : {-0.3, -0.31, -0.33, -0.36, -0.4}) {
      State start = State::of_size(2, 0);
      start.q << from, nearest;
      start.v << 8.0, 0.0;
      Plan plan = plan_of(GetParam(), 0.08);
      plan.tolerances = Tolerances::uniform(1e-9, 1e-9);
      const State begin = completed_start(system, start);
      const Result result = integrate(system, begin, plan);
      ASSERT_EQ(result.termination, Termination::ok) << result.message;
      EXPECT_NEAR(OnLightSpring::energy(result.end) / OnLightSpring::energy(begin), 1.0, bound)
          << nearest << ' ' << from;
    }
}

// Full widths from a 2000th part of the run.
TEST_P(BriefForce, IsNotSteppedOver) {
  for (const double width : {0.005, 0.011, 0.1, 0.7})
    for (const double at : {2.0, 5.0, 7.7}) {
      const auto gauss = [=](const Recorded& t) { return bump(t, at, width) / width; };
      const auto step = [=](const Recorded& t) {
        const Recorded s = tanh((t - at) / width);
        return (1.0 - s * s) / width;
      };
      const auto parabola = [=](const Recorded& t) {
        const Recorded u = (t - at) / width;
        return larger(1.0 - u * u, 0.0) / width;
      };
      EXPECT_NEAR(velocity(gauss, 0.0, 10.0), std::sqrt(pi), 5e-5) << width << ' ' << at;
      EXPECT_NEAR(velocity(gauss, 10.0, 0.0), -std::sqrt(pi), 5e-5) << width << ' ' << at;
      EXPECT_NEAR(velocity(step, 0.0, 10.0), std::tanh((10.0 - at) / width) + std::tanh(at / width), 5e-5)
          << width << ' ' << at;
      EXPECT_NEAR(velocity(parabola, 0.0, 10.0), 4.0 / 3.0, 5e-5) << width << ' ' << at;
    }
}

TEST_P(BriefForce, IsNotSteppedOverWhereItReturns) {
  const auto train = [](const Recorded& t) { return 20.0 * pow(cos(2.0 * pi * t / 4.0 + 0.3), 200.0); };
  // The mean of cos^200 is (200 choose 100) / 2^200, in 5 periods of 2 s.
  double mean = 1.0;
  for (int k = 1; k <= 100; ++k) mean *= (2.0 * k - 1.0) / (2.0 * k);
  EXPECT_NEAR(velocity(train, 0.0, 10.0), 20.0 * 10.0 * mean, 1e-3);
}

// Behind a bump A exp(-(t/w)^2) of its base a mass on a spring swings by A w omega sqrt(pi) exp(-(w omega/2)^2).
TEST_P(BriefForce, OfADriverIsNotSteppedOver) {
  for (const double width : {0.02, 0.05, 0.2}) {
    const auto motion = [=](const Recorded& t) { return 0.1 * bump(t, 3.7, width); };
    const RecordedSystem system(std::make_shared<OnDrivenBase>(motion), 2, 1, 0,
                                Description{{"x", "base"}, {"driver"}, {}});
    const Result result = integrate(system, at_rest(system, 0.0), plan_of(GetParam(), 10.0));
    ASSERT_EQ(result.termination, Termination::ok) << result.message;
    const double swing = std::hypot(result.end.q[0], result.end.v[0] / 10.0);
    const double expected = 0.1 * width * 10.0 * std::sqrt(pi) * std::exp(-std::pow(5.0 * width, 2));
    EXPECT_NEAR(swing, expected, 1e-4) << width;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, BriefForce, testing::ValuesIn(method_catalogue()), [](const auto& entry) {
  std::string name = entry.param.name;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST(TimeFormulas, LimitNoStepWhereNothingIsBrief) {
  const auto moments_of = [](const Function& force) {
    return brief_moments_of(RecordedSystem(std::make_shared<Pushed>(force), 1, 0, 0, Description{{"x"}, {}, {}}), 0.0,
                            10.0);
  };
  EXPECT_EQ(moments_of([](const Recorded&) { return Recorded(3.0); }), nullptr);
  EXPECT_EQ(moments_of([](const Recorded& t) { return 2.0 * t * t; }), nullptr);
  EXPECT_EQ(moments_of([](const Recorded& t) { return sin(30.0 * t); }), nullptr);
  EXPECT_NE(moments_of([](const Recorded& t) { return bump(t, 5.0, 0.01); }), nullptr);
}

}  // namespace
}  // namespace raak

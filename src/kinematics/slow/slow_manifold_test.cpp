// Smooth starts against closed forms: the order of the expansion, what holds, and where there is none.
#include "kinematics/slow/slow_manifold.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "system/equations/equations.h"

namespace raak {
namespace {

using Cause = NoSlowManifold::Why;

// A mass on a spring whose other end is driven: y = A omega^2 / (omega^2 - Omega^2) sin(Omega t + 1) is the motion
// without vibration.
struct DrivenMass {
  static constexpr int coordinates = 2, constraints = 1;
  double omega = 100.0, Omega = 5.0, A = 0.3;

  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = 1.0; }
  void force(const auto&, const auto& q, const auto&, auto& f) const {
    f[0] = omega * omega * (q[1] - q[0]);
    f[1] = omega * omega * (q[0] - q[1]);
  }
  void constraint(const auto& t, const auto& q, auto& g) const { g[0] = q[0] - A * sin(Omega * t + 1.0); }
  static Description description() { return {{"x", "y"}, {Row("drive", "", "m")}, {}, {"m", "m"}}; }
};

// A mass on a stiff spring that swings, in polar coordinates.
struct SpringPendulum {
  static constexpr int coordinates = 2, constraints = 0;
  double m = 2.0, l = 1.0, k = 2e4, g = 9.81;

  void mass(const auto&, const auto& q, auto& M) const {
    M(0, 0) = m;
    M(1, 1) = m * q[0] * q[0];
  }
  void force(const auto&, const auto& q, const auto& v, auto& f) const {
    f[0] = m * q[0] * v[1] * v[1] - k * (q[0] - l) + m * g * cos(q[1]);
    f[1] = -2.0 * m * q[0] * v[0] * v[1] - m * g * q[0] * sin(q[1]);
  }
  void constraint(const auto&, const auto&, auto&) const {}
  static Description description() { return {{"r", "phi"}, {}, {}, {"m", "rad"}}; }
};

// Two masses of which the first is trusted: the fast vibration moves both.
struct TwoMasses {
  static constexpr int coordinates = 2, constraints = 0;
  double k = 1e6;

  void mass(const auto&, const auto&, auto& M) const {
    M(0, 0) = 1.0;
    M(1, 1) = 3.0;
  }
  void force(const auto&, const auto& q, const auto&, auto& f) const {
    f[0] = k * (q[1] - q[0] - 1.0) - 4.0 * q[0];
    f[1] = -k * (q[1] - q[0] - 1.0);
  }
  void constraint(const auto&, const auto&, auto&) const {}
  static Description description() { return {{"a", "b"}, {}, {}, {"m", "m"}}; }
};

State state_of(const ConstrainedSystem& system, const Vector& q, const Vector& v) {
  StartRequest request;
  request.q = q;
  request.v = v;
  request.allow_free = true;
  return make_consistent(system, request);
}

State at_rest(const ConstrainedSystem& system, const Vector& q) {
  return state_of(system, q, Vector::Zero(q.size()));
}

StartRequest trusting(const State& state, const std::vector<std::string>& names) {
  StartRequest request;
  request.q = state.q;
  request.v = state.v;
  request.trusted_positions = request.trusted_velocities = names;
  return request;
}

Cause cause_of(const ConstrainedSystem& system, const State& start, const StartRequest& trusted,
               const SlowManifoldRequest& request, double* frequency = nullptr, std::string* text = nullptr) {
  try {
    smooth_start(system, start, trusted, request);
  } catch (const NoSlowManifold& error) {
    if (frequency != nullptr) *frequency = error.frequency();
    if (text != nullptr) *text = error.what();
    return error.why();
  }
  ADD_FAILURE() << "a smooth start was found";
  return {};
}

// What is left of the vibration, sqrt(dy^2 + (dy'/omega)^2) of the amplitude of the drive.
double error_of_driven_mass(double ratio, int order) {
  DrivenMass problem;
  problem.Omega = problem.omega * ratio;
  const auto system = make_system(problem);
  const State start = at_rest(*system, Vector{{0.2, 0.2}});
  const State found = smooth_start(*system, start, {}, {order, 0.0}).state;
  const double amplitude = problem.A / (1.0 - ratio * ratio);
  return std::hypot(found.q[1] - amplitude * std::sin(1.0),
                    (found.v[1] - amplitude * problem.Omega * std::cos(1.0)) / problem.omega) /
         problem.A;
}

// The first term leaves what is of the fourth power of slow over fast, each further one two powers more.
TEST(SlowManifold, GainsTwoPowersOfSlowOverFastWithEachTerm) {
  for (const int order : {0, 1, 2}) {
    const double coarse = error_of_driven_mass(0.2, order), fine = error_of_driven_mass(0.1, order);
    EXPECT_NEAR(std::log2(coarse / fine), 4.0 + 2.0 * order, 0.25) << order;
    EXPECT_LT(fine, 2.0 * std::pow(0.1, 4 + 2 * order)) << order;
  }
  EXPECT_LT(error_of_driven_mass(0.1, 3), 1e-8);
}

TEST(SlowManifold, TellsWhatIsFastAndHowFarApart) {
  const auto system = make_system(DrivenMass{});
  const SmoothStart found = smooth_start(*system, at_rest(*system, Vector{{0.2, 0.2}}), {});
  ASSERT_EQ(found.fast.size(), 1U);
  EXPECT_NEAR(found.fast[0].frequency, 100.0, 1e-9);
  EXPECT_NEAR(found.fast[0].separation, 20.0, 0.2);
  EXPECT_NEAR(found.slow_rate, 5.0, 0.5);
  EXPECT_EQ(found.fast[0].carriers, "\"y\"");
  EXPECT_EQ(found.order, 2);
}

// r - l = m (l phi'^2 + g cos phi)/k to first order; the angle and its rate are the slow motion.
TEST(SlowManifold, StretchesASwingingSpringAndLeavesItsSwing) {
  const SpringPendulum problem;
  const auto system = make_system(problem);
  const State start = state_of(*system, Vector{{1.0, 0.6}}, Vector{{0.0, 2.5}});
  const SmoothStart found = smooth_start(*system, start, trusting(start, {"phi"}));
  EXPECT_EQ(found.state.q[1], 0.6);
  EXPECT_NEAR(found.state.v[1], 2.5, 1e-12);
  const double stretch = problem.m * (2.5 * 2.5 + problem.g * std::cos(0.6)) / problem.k;
  EXPECT_NEAR(found.state.q[0] - 1.0, stretch, 0.02 * stretch);
  ASSERT_EQ(found.fast.size(), 1U);
  EXPECT_NEAR(found.fast[0].frequency, 100.0, 1.0);
}

// Second differences over half a period of the vibration, which leave four times its amplitude.
double vibration_of(const ConstrainedSystem& system, State x, double omega) {
  constexpr int half = 200;
  const double h = M_PI / omega / half;
  std::vector<double> a;
  const auto slope = [&](const Vector& q, const Vector& v) {
    State s = x;
    s.q = q;
    s.v = v;
    update_accelerations(system, s);
    return s.a;
  };
  for (int i = 0; i <= 4 * half; ++i) {
    const Vector a1 = slope(x.q, x.v), v2 = x.v + 0.5 * h * a1, a2 = slope(x.q + 0.5 * h * x.v, v2);
    const Vector v3 = x.v + 0.5 * h * a2, a3 = slope(x.q + 0.5 * h * v2, v3);
    const Vector v4 = x.v + h * a3, a4 = slope(x.q + h * v3, v4);
    a.push_back(a1[0]);
    x.q += h / 6.0 * (x.v + 2.0 * v2 + 2.0 * v3 + v4);
    x.v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  double largest = 0.0;
  for (std::size_t i = 0; i + 2 * half < a.size(); ++i)
    largest = std::max(largest, std::abs(a[i] - 2.0 * a[i + half] + a[i + 2 * half]) / 4.0);
  return largest;
}

TEST(SlowManifold, LeavesAHundredthOfTheVibration) {
  SpringPendulum problem;
  problem.k = 2e6;
  const auto system = make_system(problem);
  const State start = state_of(*system, Vector{{1.0, 0.6}}, Vector{{0.0, 2.5}});
  const State smooth = smooth_start(*system, start, trusting(start, {"phi"})).state;
  EXPECT_LT(vibration_of(*system, smooth, 1000.0), 1e-3 * vibration_of(*system, start, 1000.0));
}

TEST(SlowManifold, HoldsTrustedValuesThatTakePartInTheVibration) {
  const auto system = make_system(TwoMasses{});
  const State start = state_of(*system, Vector{{0.5, 1.6}}, Vector{{0.7, -0.2}});
  const State found = smooth_start(*system, start, trusting(start, {"a"})).state;
  EXPECT_NEAR(found.q[0], 0.5, 1e-14);
  EXPECT_NEAR(found.v[0], 0.7, 1e-13);
  // Both accelerate by -4 a/(1 + 3): the spring is longer by what the second mass needs.
  EXPECT_NEAR(found.q[1] - found.q[0] - 1.0, 3.0 * 0.5 / 1e6, 1e-9);
  EXPECT_NEAR(found.v[1] - found.v[0], 3.0 * 0.7 / 1e6, 1e-9);
}

TEST(SlowManifold, IsRefusedWhereATrustedValueBelongsToTheVibration) {
  const auto system = make_system(SpringPendulum{});
  const State start = state_of(*system, Vector{{1.02, 0.6}}, Vector{{0.0, 2.5}});
  std::string text;
  EXPECT_EQ(cause_of(*system, start, trusting(start, {"r", "phi"}), {}, nullptr, &text), Cause::trusted);
  EXPECT_NE(text.find("\"r\""), std::string::npos) << text;
}

TEST(SlowManifold, IsRefusedWithoutAStiffPart) {
  SpringPendulum soft;
  soft.k = 60.0;
  const auto system = make_system(soft);
  const State start = state_of(*system, Vector{{1.0, 0.6}}, Vector{{0.0, 0.5}});
  double frequency = 0.0;
  std::string text;
  EXPECT_EQ(cause_of(*system, start, {}, {}, &frequency, &text), Cause::no_stiff_part);
  EXPECT_GT(frequency, 2.0);
  EXPECT_NE(text.find("no stiff part"), std::string::npos) << text;
  EXPECT_EQ(cause_of(*system, start, {}, {2, 1e3}, nullptr, &text), Cause::no_stiff_part);
  EXPECT_NE(text.find("faster than 1000 rad/s"), std::string::npos) << text;
}

TEST(SlowManifold, IsRefusedAtRestWithASingleVibration) {
  const auto system = make_system(DrivenMass{100.0, 5.0, 0.0});
  EXPECT_EQ(cause_of(*system, at_rest(*system, Vector{{0.0, 0.1}}), {}, {}), Cause::no_stiff_part);
}

TEST(SlowManifold, NamesTheFrequencyOfAResonance) {
  const auto system = make_system(DrivenMass{100.0, 80.0, 0.3});
  double frequency = 0.0;
  std::string text;
  EXPECT_EQ(cause_of(*system, at_rest(*system, Vector{{0.2, 0.2}}), {}, {0, 0.0}, &frequency, &text), Cause::resonance);
  EXPECT_NEAR(frequency, 100.0, 1e-9);
  EXPECT_NE(text.find("100 rad/s"), std::string::npos) << text;
  EXPECT_NE(text.find("80 rad/s"), std::string::npos) << text;
}

TEST(SlowManifold, RefusesAnOrderThatItCannotHave) {
  const auto system = make_system(DrivenMass{});
  EXPECT_THROW(smooth_start(*system, at_rest(*system, Vector{{0.2, 0.2}}), {}, {4, 0.0}), Error);
}

}  // namespace
}  // namespace raak

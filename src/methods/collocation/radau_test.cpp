#include "methods/collocation/radau.h"

#include <gtest/gtest.h>

#include "methods/collocation/gauss.h"
#include "methods/composite/automatic.h"
#include "system/equations/equations.h"

namespace raak {
namespace {

// A point on a circle, led along phi(t) = 0.8 sin t by a spring and a damper so strong that its own motion dies with
// 8000 1/s. The force balances the exact motion, whose multiplier is therefore zero.
struct LedBead {
  static constexpr int coordinates = 2;
  static constexpr int constraints = 1;
  double stiffness = 1e5, damping = 8000.0;

  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = 1.0; }
  void force(const auto& t, const auto& q, const auto& v, auto& f) const {
    const auto phi = 0.8 * sin(t);
    const auto rate = 0.8 * cos(t);
    const auto x = sin(phi);
    const auto y = -cos(phi);
    f[0] = stiffness * (x - q[0]) + damping * (-y * rate - v[0]) + (y * phi - x * rate * rate);
    f[1] = stiffness * (y - q[1]) + damping * (x * rate - v[1]) + (-x * phi - y * rate * rate);
  }
  void constraint(const auto&, const auto& q, auto& g) const { g[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0); }
};

State exact_motion(double t) {
  State state = State::of_size(2, 1);
  const double phi = 0.8 * std::sin(t);
  const double rate = 0.8 * std::cos(t);
  state.t = t;
  state.q << std::sin(phi), -std::cos(phi);
  state.v << rate * std::cos(phi), rate * std::sin(phi);
  return state;
}

struct Outcome {
  int steps = 0;
  long evaluations = 0;
  double error = 0.0;
};

Outcome run(const ConstrainedSystem& system, Integrator& method, double until) {
  State start = exact_motion(0.0);
  update_accelerations(system, start);
  double h = method.begin(start, until);
  Outcome result;
  Vector q(2), v(2);
  while (method.time() != until && ++result.steps < 100000) {
    const double t = method.time();
    const Attempt attempt = method.attempt(1.01 * h >= until - t ? until : t + h);
    h = attempt.acceptable ? method.accept() : attempt.retry_step;
    if (!attempt.acceptable) continue;
    const double middle = 0.5 * (t + method.time());
    method.interpolate(middle, q, v);
    result.error = std::max({result.error, (q - exact_motion(middle).q).cwiseAbs().maxCoeff(),
                             (method.current().q - exact_motion(method.time()).q).cwiseAbs().maxCoeff()});
  }
  result.evaluations = method.statistics().evaluations;
  return result;
}

TEST(Radau, TakesLongStepsOverAFastDecayingMode) {
  const auto system = make_system(LedBead{});
  for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
    Radau radau(*system, Form::index1, Tolerances::uniform(tolerance, tolerance));
    const Outcome found = run(*system, radau, 6.0);
    EXPECT_LT(found.steps, 150) << tolerance;
    EXPECT_LT(found.error, 10.0 * tolerance) << tolerance;
    const auto gauss = make_gauss(*system, Form::index1, Tolerances::uniform(tolerance, tolerance));
    EXPECT_GT(run(*system, *gauss, 6.0).evaluations, 10 * found.evaluations) << tolerance;
  }
}

// A spring whose damper lets go and grips again, beside an oscillation that sets the steps. While it grips, x keeps
// still; when it lets go, its correction is 1e5 times too small if the damper is still in the matrix.
struct Gripped {
  static constexpr int coordinates = 2;
  static constexpr int constraints = 0;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = 1.0; }
  void force(const auto& t, const auto& q, const auto& v, auto& f) const {
    const auto rise = exp(-100.0 * sin(t));
    f[0] = -2e5 / (1.0 + rise) * v[0] - 100.0 * q[0];
    f[1] = -400.0 * (q[1] - sin(10.0 * t));
  }
};

TEST(Radau, NoticesThatStiffnessHasEnded) {
  const auto system = make_system(Gripped{});
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    Radau radau(*system, Form::index1, Tolerances::uniform(tolerance, tolerance));
    State start = State::of_size(2, 0);
    start.q << 1.0, 0.0;
    update_accelerations(*system, start);
    double h = radau.begin(start, 10.0);
    for (int steps = 0; radau.time() != 10.0 && steps < 10000; ++steps) {
      const double t = radau.time();
      const Attempt attempt = radau.attempt(1.01 * h >= 10.0 - t ? 10.0 : t + h);
      h = attempt.acceptable ? radau.accept() : attempt.retry_step;
    }
    // By radau5 and bdf at rtol 1e-10.
    EXPECT_NEAR(radau.current().q[0], -0.0127233, 30.0 * tolerance) << tolerance;
    EXPECT_NEAR(radau.current().v[0], -0.559998, 100.0 * tolerance) << tolerance;
  }
}

TEST(Automatic, LeavesFixedPointSweepsWhereTheyAreStiffAndKeepsThemWhereTheyAreNot) {
  const auto stiff = make_system(LedBead{});
  const Tolerances tolerances = Tolerances::uniform(1e-7, 1e-7);
  Radau radau(*stiff, Form::index1, tolerances);
  Automatic automatic(*stiff, Form::index1, tolerances);
  const long best = run(*stiff, radau, 6.0).evaluations;
  EXPECT_LT(run(*stiff, automatic, 6.0).evaluations, 2 * best);
  EXPECT_EQ(automatic.methods_used(), "gauss+radau");
  const auto soft = make_system(LedBead{4.0, 1.0});
  Automatic other(*soft, Form::index1, tolerances);
  EXPECT_LT(run(*soft, other, 6.0).error, 1e-6);
  EXPECT_EQ(other.methods_used(), "gauss");
}

// A pendulum and a mass that a stiff, well damped spring holds at its end: the sweeps of loose tolerances are two or
// three in each of thousands of steps, so that none of them looks stiff.
struct DampedBob {
  double stiffness, damping;
  static constexpr int coordinates = 4;
  static constexpr int constraints = 1;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = M(2, 2) = M(3, 3) = 1.0; }
  void force(const auto&, const auto& q, const auto& v, auto& f) const {
    const auto x = q[2] - q[0];
    const auto y = q[3] - q[1];
    const auto length = sqrt(x * x + y * y);
    const auto rate = (x * (v[2] - v[0]) + y * (v[3] - v[1])) / length;
    const auto pull = (stiffness * (length - 0.5) + damping * rate) / length;
    f[0] = pull * x;
    f[1] = pull * y - 9.81;
    f[2] = -pull * x;
    f[3] = -pull * y - 9.81;
  }
  void constraint(const auto&, const auto& q, auto& g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

TEST(Automatic, NoticesStiffnessWhereFewSweepsAreEnough) {
  for (const double damping : {100.0, 2000.0}) {
    const auto system = make_system(DampedBob{1e4, damping});
    State start = State::of_size(4, 1);
    start.q << std::sin(0.6), -std::cos(0.6), std::sin(0.6) + 0.5 * std::sin(0.3), -std::cos(0.6) - 0.5 * std::cos(0.3);
    update_accelerations(*system, start);
    for (const double tolerance : {1e-2, 1e-3, 1e-6}) {
      const auto evaluations = [&](Integrator&& method) {
        double h = method.begin(start, 2.0);
        for (int tries = 0; method.time() != 2.0 && tries < 100000; ++tries) {
          const double t = method.time();
          const Attempt attempt = method.attempt(1.01 * h >= 2.0 - t ? 2.0 : t + h);
          h = attempt.acceptable ? method.accept() : attempt.retry_step;
        }
        return method.statistics().evaluations;
      };
      const Tolerances tolerances = Tolerances::uniform(tolerance, tolerance);
      EXPECT_LT(evaluations(Automatic(*system, Form::index1, tolerances)),
                2.5 * static_cast<double>(evaluations(Radau(*system, Form::index1, tolerances))))
          << damping << " " << tolerance;
    }
  }
}

}  // namespace
}  // namespace raak

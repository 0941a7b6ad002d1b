#include "system/equations/equations.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "system/example_systems.h"

namespace raak {
namespace {

TEST(Equations, PendulumAccelerationAndRodForceAreTheClosedForm) {
  const example::PointPendulum p;
  const auto system = make_system(p);
  State s = State::of_size(2, 1);
  const double phi = 0.4;
  const double rate = 1.7;
  s.q << p.length * std::sin(phi), -p.length * std::cos(phi);
  s.v << p.length * rate * std::cos(phi), p.length * rate * std::sin(phi);
  EXPECT_NEAR(update_accelerations(*system, s), 1.0, 1e-15);
  const double angular = -p.g / p.length * std::sin(phi);
  EXPECT_NEAR(s.a[0], p.length * (angular * std::cos(phi) - rate * rate * std::sin(phi)), 1e-13);
  // Rod tension = m (g cos phi + l phi'^2) = |G' lambda| = 2 l lambda.
  EXPECT_NEAR(2.0 * p.length * s.lambda[0], p.mass_ * (p.g * std::cos(phi) + p.length * rate * rate), 1e-12);
}

TEST(Equations, NonHolonomicRowsEnterJacobianAndBias) {
  const auto system = make_system(example::Sleigh{});
  EXPECT_EQ(system->position_rows(), 0);
  EXPECT_EQ(system->velocity_rows(), 1);
  Vector q(3), v(3), bias(1), c(1);
  q << 0.3, -0.2, 0.8;
  v << 1.1 * std::cos(0.8), 1.1 * std::sin(0.8), 0.6;
  Matrix G(1, 3);
  system->jacobian(0.0, q, G);
  EXPECT_NEAR(G(0, 0), -std::sin(0.8), 1e-15);
  EXPECT_NEAR(G(0, 1), std::cos(0.8), 1e-15);
  system->velocity_constraint(0.0, q, v, c);
  EXPECT_NEAR(c[0], 0.0, 1e-15);
  system->acceleration_bias(0.0, q, v, bias);
  EXPECT_NEAR(bias[0], 1.1 * 0.6, 1e-15);  // forward speed times turning rate
}

// A bead on a line with rounded dry friction.
struct Friction {
  static constexpr int coordinates = 1;
  static constexpr int constraints = 0;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = 2.0; }
  void force(const auto&, const auto&, const auto& v, auto& f) const { f[0] = -3.0 * tanh(v[0] / 0.1); }
};

TEST(Equations, FormulasMayCallTheHyperbolicTangent) {
  const auto system = make_system(Friction{});
  State s = State::of_size(1, 0);
  Matrix by_q(1, 1), by_v(1, 1);
  for (const double v : {-500.0, -0.02, 0.0, 0.07, 500.0}) {
    s.v[0] = v;
    update_accelerations(*system, s);
    EXPECT_NEAR(s.a[0], -1.5 * std::tanh(v / 0.1), 1e-15);
    system->force_derivatives(0.0, s.q, s.v, by_q, by_v);
    EXPECT_NEAR(by_v(0, 0), -30.0 * (1.0 - std::tanh(v / 0.1) * std::tanh(v / 0.1)), 1e-13);
  }
}

TEST(Equations, LanesAgreeWithTheScalarForm) {
  const Equations<example::Sleigh> system(example::Sleigh{});
  alignas(32) double t[4] = {0, 1, 2, 3};
  alignas(32) double q[12], v[12], a[12], b[12], l[4], p[4];
  for (int i = 0; i < 12; ++i) {
    q[i] = 0.1 * i;
    v[i] = 1.0 - 0.3 * i;
  }
  system.accelerate_lanes(t, q, v, a, l, p);
  system.accelerate_lanes(t, q, v, b, nullptr, p);  // the null space instead of the Schur complement
  for (int lane = 0; lane < 4; ++lane) {
    double q1[3], v1[3], a1[3], l1[1];
    for (int i = 0; i < 3; ++i) {
      q1[i] = q[4 * i + lane];
      v1[i] = v[4 * i + lane];
    }
    system.accelerate(t[lane], q1, v1, a1, l1);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(a[4 * i + lane], a1[i], 1e-13 * (1.0 + std::abs(a1[i])));
      EXPECT_NEAR(b[4 * i + lane], a1[i], 1e-13 * (1.0 + std::abs(a1[i])));
    }
  }
}

TEST(Equations, CorrectionsRemoveTheResidual) {
  const auto system = make_system(example::PointPendulum{});
  double q[2] = {1.0, -1.0};
  double v[2] = {0.5, 2.0};
  double residual = 1.0;
  for (int i = 0; i < 6; ++i) residual = system->correct_position(0.0, q);
  EXPECT_LT(residual, 1e-15);
  EXPECT_GT(system->correct_velocity(0.0, q, v), 0.1);
  EXPECT_LT(system->correct_velocity(0.0, q, v), 1e-14);
}

TEST(Equations, CorrectingBothAtOnceAgreesWithOneAfterTheOther) {
  const auto system = make_system(example::PointPendulum{});
  const double length = example::PointPendulum{}.length;
  double q[2] = {length * std::sin(0.4) + 3e-7, -length * std::cos(0.4)};
  double v[2] = {2.0 * std::cos(0.4) + 1e-6, 2.0 * std::sin(0.4)};
  double q1[2] = {q[0], q[1]};
  double v1[2] = {v[0], v[1]};
  const double residual = system->correct_state(0.0, q, v);
  EXPECT_EQ(residual, system->correct_position(0.0, q1));
  system->correct_velocity(0.0, q1, v1);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(q[i], q1[i], 1e-15);
    EXPECT_NEAR(v[i], v1[i], 1e-12);
  }
  EXPECT_LT(system->correct_velocity(0.0, q, v), 5e-12);  // products of changes, 3e-7 and 1e-6
}

TEST(Equations, CorrectingBothMeetsNonHolonomicRows) {
  const auto system = make_system(example::Sleigh{});
  double q[3] = {0.3, -0.2, 0.8};
  double v[3] = {1.0, 2.0, 0.6};
  EXPECT_EQ(system->correct_state(0.0, q, v), 0.0);
  EXPECT_LT(system->correct_velocity(0.0, q, v), 1e-14);
}

struct WronglyNamed : example::PointPendulum {
  static Description description() { return {{"x"}, {}, {}}; }
};
TEST(Equations, RefusesADescriptionOfAnotherSize) {
  try {
    make_system(WronglyNamed{});
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "a system with 2 coordinates was described with 1 names");
  }
}

}  // namespace
}  // namespace raak

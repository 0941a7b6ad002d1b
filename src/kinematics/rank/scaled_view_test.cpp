// A view in other units is the same system: what it says follows from the units alone.
#include "kinematics/rank/scaled_view.h"

#include <gtest/gtest.h>

#include "system/example_systems.h"
#include "system/identities.h"

namespace raak {
namespace {

constexpr double micrometres = 1e-6;

// Chaplygin's sleigh of a micrometre, in metres; its blade holds a velocity.
struct TinySleigh : example::Sleigh {
  TinySleigh() {
    I = 0.1 * micrometres * micrometres;
    a = 0.2 * micrometres;
  }
  static Description description() {
    return {{"x", "y", "heading"}, {Row("blade", "", "m")}, {}, {"m", "m", "rad"}, {}, micrometres};
  }
};

State tiny_motion(const ConstrainedSystem& system) {
  State state = State::of_size(3, 1);
  state.q << 0.3 * micrometres, -0.2 * micrometres, 0.4;
  state.v << 1.1 * micrometres, 0.5 * micrometres, 0.7;
  system.correct_velocity(0.0, state.q.data(), state.v.data());
  update_accelerations(system, state);
  return state;
}

TEST(ScaledView, HasTheMotionOfTheSystemThatIsAsLargeAsItsUnit) {
  const Equations<TinySleigh> tiny{TinySleigh{}};
  const Equations<example::Sleigh> large{example::Sleigh{}};
  const ScaledView view(tiny);
  const State scaled = view.scaled(tiny_motion(tiny));
  State expected = scaled;
  update_accelerations(large, expected);
  EXPECT_LT((scaled.a - expected.a).norm(), 1e-12 * expected.a.norm());
  State found = scaled;
  update_accelerations(view, found);
  EXPECT_LT((found.a - expected.a).norm(), 1e-12 * expected.a.norm());
  EXPECT_LT((found.lambda - scaled.lambda).norm(), 1e-12 * scaled.lambda.norm());
}

TEST(ScaledView, GoesBackToTheStateItCameFrom) {
  const Equations<TinySleigh> tiny{TinySleigh{}};
  const ScaledView view(tiny);
  const State state = tiny_motion(tiny);
  const State back = view.unscaled(view.scaled(state));
  for (const auto& [found, expected] : {std::pair{&back.q, &state.q}, {&back.v, &state.v}, {&back.a, &state.a}})
    EXPECT_LT((*found - *expected).norm(), 1e-15 * expected->norm());
  EXPECT_LT((back.lambda - state.lambda).norm(), 1e-15 * state.lambda.norm());
}

// M a = f - G' lambda and G a = bias in the units of the view.
TEST(ScaledView, ObeysTheEquationsOfMotionInItsOwnUnits) {
  const Equations<TinySleigh> tiny{TinySleigh{}};
  const ScaledView view(tiny);
  const State x = view.scaled(tiny_motion(tiny));
  Matrix M(3, 3), G(1, 3);
  Vector f(3), bias(1), c(1);
  view.mass(x.t, x.q, M);
  view.force(x.t, x.q, x.v, f);
  view.jacobian(x.t, x.q, G);
  view.acceleration_bias(x.t, x.q, x.v, bias);
  view.velocity_constraint(x.t, x.q, x.v, c);
  EXPECT_LT((M * x.a - f + G.transpose() * x.lambda).norm(), 1e-12 * f.norm());
  EXPECT_LT((G * x.a - bias).norm(), 1e-12 * bias.norm());
  EXPECT_LT(c.norm(), 1e-14);
  Vector diagonal;
  view.mass_diagonal(x.t, x.q, diagonal);
  EXPECT_EQ(diagonal, Vector(M.diagonal()));
}

TEST(ScaledView, PutsAMetricInThePlaceOfTheMasses) {
  const Equations<TinySleigh> tiny{TinySleigh{}};
  const Vector metric{{1.0, 2.0, 3.0}};
  const ScaledView view(tiny, metric);
  Matrix M(3, 3);
  view.mass(0.0, Vector::Zero(3), M);
  EXPECT_EQ(M, Matrix(metric.asDiagonal()));
}

}  // namespace
}  // namespace raak

// Andrews' squeezer against the numbers of its documents and its geometry.
#include "problems/andrews.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "problems/constants.h"
#include "problems/published_digits.h"

namespace raak {
namespace {

Model default_model(const ModelSource& source) {
  return source.build(source.parameters, Form::index1);
}

// Test Set for IVP Solvers, II.13.2; lambda_0 has 6 entries.
TEST(Andrews, StartsWithThePrintedAccelerations) {
  const Model model = default_model(andrews());
  State x = State::of_size(7, 6);
  x.q = model.start.q;
  update_accelerations(*model.system, x);
  const Vector a{{14222.4439199541138705911625887, -10666.8329399655854029433719415, 0, 0, 0, 0, 0}};
  const Vector lambda{{98.5668703962410896057654982170, -6.12268834425566265503114393122, 0, 0, 0, 0}};
  EXPECT_LT((x.a - a).norm(), 1e-12 * a.norm());
  EXPECT_LT((x.lambda - lambda).norm(), 1e-12 * lambda.norm());
}

TEST(Andrews, StartsOnItsConstraintsAsPrinted) {
  const Model model = default_model(andrews());
  Vector g(6);
  model.system->constraint(0.0, model.start.q, g);
  EXPECT_LT(g.norm(), 1e-16);
}

TEST(Andrews, PrintsNineAndAHalfDigits) {
  EXPECT_NEAR(published_digits(default_model(andrews()), {}).scd, 9.57, 0.01);
}

struct Point {
  double x, y;
};
// Twice the area of the triangle a, b, c: positive if c lies left of a -> b.
double side(Point a, Point b, Point c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// E left of F -> B, G right of E -> A, H left of E -> A.
void expect_branch(const Vector& q) {
  const Point A{-0.06934, -0.00227}, B{-0.03635, 0.03273};
  const Point F{0.007 * std::cos(q[0]), 0.007 * std::sin(q[0])};
  const Point E{B.x + 0.035 * std::sin(q[2]), B.y - 0.035 * std::cos(q[2])};
  const Point G{A.x + 0.04 * std::cos(q[4]), A.y + 0.04 * std::sin(q[4])};
  const Point H{A.x + 0.04 * std::sin(q[6]), A.y - 0.04 * std::cos(q[6])};
  EXPECT_GT(side(F, B, E), 0.0);
  EXPECT_LT(side(E, A, G), 0.0);
  EXPECT_GT(side(E, A, H), 0.0);
}

TEST(AndrewsIftomm, StartsOnTheBranchOfTheTestSet) {
  expect_branch(make_consistent(*default_model(andrews()).system, default_model(andrews()).start).q);
  const Model model = default_model(andrews_iftomm());
  const State start = make_consistent(*model.system, model.start);
  EXPECT_EQ(start.q[0], -0.0620);
  expect_branch(start.q);
}

TEST(AndrewsIftomm, StaysOnItsBranchWhenItStartsAnywhereOnTheTurn) {
  const ModelSource source = andrews_iftomm();
  for (int degrees = -180; degrees < 180; degrees += 10) {
    const double beta = degrees * std::numbers::pi / 180.0;
    const Parameters turned = with_settings(source.parameters, {{"beta0", std::to_string(beta)}});
    const Model model = source.build(turned, Form::index1);
    expect_branch(make_consistent(*model.system, model.start).q);
  }
}

// The spring holds 1.43579637794387070 J at beta = -0.0620 rad.
TEST(AndrewsIftomm, StartsWithTheEnergyOfItsSpring) {
  const Model model = default_model(andrews_iftomm());
  const State start = make_consistent(*model.system, model.start);
  const Energy energy = model.system->energy(0.0, start.q, start.v);
  EXPECT_EQ(energy.kinetic, 0.0);
  EXPECT_NEAR(energy.potential, 1.43579637794387070, 1e-14);
  EXPECT_NEAR(energy.input, 0.033 * -0.0620, 1e-16);
}

TEST(AndrewsIftomm, KnowsPointFAndItsEnergies) {
  const Model model = default_model(andrews_iftomm());
  EXPECT_EQ(model.system->description().outputs, (std::vector<std::string>{"F.x", "F.y"}));
  const auto& start = model.references.front().values.at(0.0);
  for (const auto& [t, values] : model.references.front().values) {
    State x = State::of_size(7, 6);
    for (int i = 0; i < 7; ++i) {
      const std::string& name = model.system->description().coordinates[static_cast<std::size_t>(i)];
      x.q[i] = values.at("q." + name);
      x.v[i] = values.at("v." + name);
    }
    Vector F(2);
    model.system->evaluate_outputs(x, F);
    EXPECT_NEAR(F[0], values.at("F.x"), 1e-16);
    EXPECT_NEAR(F[1], values.at("F.y"), 1e-16);
    const Energy energy = model.system->energy(t, x.q, x.v);
    EXPECT_NEAR(energy.kinetic, values.at("energy.kinetic"), 1e-13);
    EXPECT_NEAR(energy.potential, values.at("energy.potential"), 1e-13);
    EXPECT_NEAR(energy.input - 0.033 * start.at("q.beta"), values.at("energy.input"), 1e-14);
  }
}

}  // namespace
}  // namespace raak

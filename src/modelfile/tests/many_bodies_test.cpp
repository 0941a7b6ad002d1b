// Mechanisms of many bodies run by long kernels that serve all nodes alike: where nodes are not alike, in the numbers
// of their bodies, in their joints or in their number, results must be those of code recorded for the whole.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "modelfile/tests/test_support.h"

namespace raak {
namespace {

// Rods of different length and mass; every fifth joint holds a third rod too, every seventh a spring to the ground.
std::string uneven_chain(int count) {
  std::string bodies = "format = \"raak/1\"\ngravity = [0.3, -9.81]\n[ground.points]\nO = [0.0, 0.0]\nS = [1.0, 2.0]\n";
  std::string joints = "[joints]\npin0 = { type = \"revolute\", pins = [\"ground.O\", \"rod0.A\"] }\n";
  std::string forces = "[forces]\n";
  const auto add_body = [&](const std::string& name, double length) {
    bodies += fmt::format(
        "[bodies.{}]\nmass = {}\ninertia = {}\ncom = [{}, 0.02]\npoints = {{ A = [0.0, 0.01], B = [{}, 0.0] }}\n", name,
        1.0 + length, 0.1 * length, 0.4 * length, length);
  };
  for (int i = 0; i < count; ++i) {
    add_body(fmt::format("rod{}", i), 0.5 + 0.1 * (i % 7));
    if (i % 7 == 3)
      forces += fmt::format(
          "spring{} = {{ type = \"spring\", between = [\"ground.S\", \"rod{}.B\"], stiffness = {}, length = 1.0 }}\n",
          i, i, 10.0 + i);
    if (i == 0) continue;
    std::string third;
    if (i % 5 == 0) {
      add_body(fmt::format("twig{}", i), 0.3);
      third = fmt::format(", \"twig{}.A\"", i);
    }
    joints +=
        fmt::format("pin{} = {{ type = \"revolute\", pins = [\"rod{}.B\", \"rod{}.A\"{}] }}\n", i, i - 1, i, third);
  }
  return bodies + joints + forces;
}

double distance(const Vector& a, const Vector& b) {
  return (a - b).cwiseAbs().maxCoeff() / (1.0 + a.cwiseAbs().maxCoeff());
}

class ManyBodies : public testing::TestWithParam<int> {};

TEST_P(ManyBodies, UnlikeEachOtherMoveAsTheyDoByCodeForTheWhole) {
  const std::string text = uneven_chain(GetParam());
  const Model recorded = model_of(text, Coordinates::maximal);
  const Model by_element = model_of(text, Coordinates::element_by_element);
  State x = consistent_start(recorded);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  for (double& q : x.q) q += 1e-3 * value(random);
  for (double& v : x.v) v += value(random);
  State y = x;
  update_accelerations(*recorded.system, x);
  update_accelerations(*by_element.system, y);
  EXPECT_LE(distance(x.a, y.a), 1e-10);
  EXPECT_LE(distance(x.lambda, y.lambda), 1e-10);
  const double off = recorded.system->correct_state(0.0, x.q.data(), x.v.data());
  EXPECT_NEAR(by_element.system->correct_state(0.0, y.q.data(), y.v.data()), off, 1e-12);
  EXPECT_GT(off, 1e-4);
  // Both bring the state to the constraints but for the square of what was off.
  for (int again = 0; again < 3; ++again) {
    recorded.system->correct_state(0.0, x.q.data(), x.v.data());
    by_element.system->correct_state(0.0, y.q.data(), y.v.data());
  }
  Vector g(recorded.system->position_rows());
  Vector c(recorded.system->rows());
  by_element.system->constraint(0.0, y.q, g);
  by_element.system->velocity_constraint(0.0, y.q, y.v, c);
  EXPECT_LE(g.cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LE(c.cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LE(distance(x.q, y.q), 1e-5);
}

// So few that no pattern appears, and numbers that leave a rest when nodes are taken by four.
INSTANTIATE_TEST_SUITE_P(Counts, ManyBodies, testing::Values(1, 2, 3, 7, 24, 41));

// A push of a hundredth of a second, and a bump of a driven base under a mass on a spring of 100 N/m.
TEST(ManyBodiesAtRest, AreMovedByWhatActsBriefly) {
  const Model model = model_of(R"toml(format = "raak/1"
gravity = [0, 0]
[parameters]
at = 5.0
[ground.points]
O = [0, 0]
[ground.axes]
x = [1, 0]
[bodies.pushed]
mass = 1
inertia = 1
points = { O = [0, 0] }
axes = { x = [1, 0] }
[bodies.base]
mass = 1
inertia = 1
points = { O = [0, 0] }
axes = { x = [1, 0] }
[bodies.car]
mass = 1
inertia = 1
points = { O = [0, 0] }
axes = { x = [1, 0] }
[joints]
of_pushed = { type = "prismatic", pins = ["ground.O", "pushed.O"], axes = ["ground.x", "pushed.x"] }
of_base = { type = "prismatic", pins = ["ground.O", "base.O"], axes = ["ground.x", "base.x"] }
of_car = { type = "prismatic", pins = ["ground.O", "car.O"], axes = ["ground.x", "car.x"] }
[drivers]
road = { coordinate = "base.x", motion = "0.1*exp(-((t-3.7)/0.02)^2)" }
[forces]
push = { type = "force", at = "pushed.O", value = ["exp(-((t-at)/0.01)^2)/0.01", 0] }
spring = { type = "bushing", pins = ["base.O", "car.O"], stiffness = 100 }
)toml",
                               Coordinates::element_by_element);
  Plan plan;
  plan.until = 10.0;
  plan.tolerances = Tolerances::uniform(1e-8, 1e-8);
  const Result result = integrate(*model.system, consistent_start(model), plan);
  ASSERT_EQ(result.termination, Termination::ok) << result.message;
  const State end = shown_at_end(model, result);
  const auto& names = model.system->reported().velocities;
  const auto of = [&](const std::string& name, const Vector& values) {
    const auto place = std::find(names.begin(), names.end(), name) - names.begin();
    return values[place];
  };
  const double root_pi = std::sqrt(std::acos(-1.0));
  EXPECT_NEAR(of("pushed.x", end.v), root_pi, 1e-6);
  EXPECT_NEAR(std::hypot(of("car.x", end.q), of("car.x", end.v) / 10.0), 0.1 * 0.02 * 10.0 * root_pi * std::exp(-0.01),
              1e-6);
}

}  // namespace
}  // namespace raak

// Mechanisms whose motion and reactions have a closed form, and the coordinates in which they are solved.
#include <gtest/gtest.h>

#include <cmath>

#include "modelfile/tests/test_support.h"
#include "run/integrate.h"

namespace raak {
namespace {

Result run_until(const Model& model, double until, double rtol = 1e-10) {
  Plan plan;
  plan.until = until;
  plan.tolerances = Tolerances::uniform(rtol, rtol);
  return integrate(*model.system, consistent_start(model), plan);
}

constexpr const char* four_bar = R"toml(format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
C = [4.0, 0.0]
[bodies.crank]
mass = 1.0
inertia = 0.2
com = [0.5, 0.1]
points = { O = [0.0, 0.0], A = [1.0, 0.0] }
[bodies.coupler]
mass = 2.0
inertia = 0.9
com = [1.5, 0.0]
points = { A = [0.0, 0.0], B = [3.5, 0.0] }
[bodies.rocker]
mass = 1.5
inertia = 0.6
com = [1.0, 0.2]
points = { B = [2.5, 0.0], C = [0.0, 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "crank.O"] }
A = { type = "revolute", pins = ["crank.A", "coupler.A"] }
B = { type = "revolute", pins = ["coupler.B", "rocker.B"] }
C = { type = "revolute", pins = ["ground.C", "rocker.C"] }
[forces]
damper = { type = "spring", between = ["ground.O", "coupler.B"], stiffness = 20.0, length = 3.0, damping = 0.5 }
[start]
trust = { "crank.angle" = 1.0, "crank.omega" = 2.0 }
guess = { "rocker.angle" = 1.8 }
[outputs]
Bx = "B.force.x"
By = "B.force.y"
)toml";

TEST(Coordinates, TreeAndMaximalFormGiveTheSameMotionReactionsAndEnergyBalance) {
  const Model tree = model_of(four_bar, Coordinates::tree);
  const Model maximal = model_of(four_bar, Coordinates::maximal);
  EXPECT_EQ(tree.system->coordinates(), 3);
  EXPECT_EQ(maximal.system->coordinates(), 9);
  EXPECT_EQ(tree.system->reported().positions, maximal.system->reported().positions);
  const Result a = run_until(tree, 1.0);
  const Result b = run_until(maximal, 1.0);
  const State x = shown_at_end(tree, a);
  const State y = shown_at_end(maximal, b);
  EXPECT_LE((x.q - y.q).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE((x.v - y.v).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LE((x.a - y.a).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LE((x.lambda - y.lambda).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LE((a.outputs - b.outputs).head(2).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LE(a.quality.energy_drift, 1e-8);
  EXPECT_LE(b.quality.energy_drift, 3e-8);
  ASSERT_TRUE(tree.mobility);
  EXPECT_EQ(tree.mobility->mobility, 1);
  EXPECT_EQ(tree.mobility->gruebler, 1);
}

TEST(Coordinates, OfBothFormsGiveTheSameMotionInIndependentCoordinatesToo) {
  for (const char* method : {"tangent", "radau", "auto"}) {
    State ends[2];
    for (const Coordinates coordinates : {Coordinates::tree, Coordinates::maximal}) {
      const Model model = model_of(four_bar, coordinates);
      Plan plan;
      plan.until = 1.0;
      plan.method = method;
      plan.tolerances = Tolerances::uniform(1e-10, 1e-10);
      const Result result = integrate(*model.system, consistent_start(model), plan);
      ASSERT_EQ(result.termination, Termination::ok) << method << ": " << result.message;
      ends[coordinates == Coordinates::tree ? 0 : 1] = shown_at_end(model, result);
    }
    EXPECT_LE((ends[0].q - ends[1].q).cwiseAbs().maxCoeff(), 1e-9) << method;
    EXPECT_LE((ends[0].v - ends[1].v).cwiseAbs().maxCoeff(), 1e-8) << method;
    EXPECT_LE((ends[0].lambda - ends[1].lambda).cwiseAbs().maxCoeff(), 1e-7) << method;
  }
}

TEST(Joints, ADiscRollsDownAnInclineAtTwoThirdsOfTheFreeAcceleration) {
  const Model model = model_of(R"toml(format = "raak/1"
gravity = ["9.81*sin(0.3)", "-9.81*cos(0.3)"]
[ground.points]
O = [0.0, 0.0]
[bodies.disc]
mass = 2.0
inertia = "2.0*0.5^2/2"
points = { C = [0.0, 0.0] }
[joints]
road = { type = "rolling", pins = ["ground.O", "disc.C"], axes = ["ground.x"], radius = 0.5 }
[start]
trust = { "disc.x" = 0.0 }
[outputs]
normal = "road.force.y"
friction = "road.force.x"
)toml");
  const Result result = run_until(model, 1.0);
  const State end = shown_at_end(model, result);
  const double a = 9.81 * std::sin(0.3) * 2.0 / 3.0;
  EXPECT_NEAR(end.q[0], 0.5 * a, 1e-9);
  EXPECT_NEAR(end.q[2], -a, 1e-9);
  EXPECT_NEAR(result.outputs[0], 2.0 * 9.81 * std::cos(0.3), 1e-9);
  EXPECT_NEAR(result.outputs[1], 2.0 * (a - 9.81 * std::sin(0.3)), 1e-9);
}

TEST(Joints, GearsRackAndSlideShareTheInertiaThatTheRatiosSay) {
  const Model model = model_of(R"toml(format = "raak/1"
[ground.points]
O = [0.0, 0.0]
P = [1.0, 0.0]
[bodies.a]
mass = 1.0
inertia = 0.3
points = { C = [0.0, 0.0] }
[bodies.b]
mass = 1.0
inertia = 0.8
points = { C = [0.0, 0.0] }
[bodies.bar]
mass = 5.0
inertia = 1.0
points = { O = [0.0, 0.0] }
[joints]
A = { type = "revolute", pins = ["ground.O", "a.C"] }
B = { type = "revolute", pins = ["ground.P", "b.C"] }
mesh = { type = "gear", bodies = ["a", "b"], ratio = -2.0 }
rail = { type = "prismatic", pins = ["ground.P", "bar.O"], axes = ["ground.x", "bar.x"] }
rack = { type = "rack", pins = ["b.C", "bar.O"], axes = ["bar.x"], radius = 0.1 }
[forces]
motor = { type = "torque", on = "a", value = 0.7 }
)toml");
  const Result result = run_until(model, 2.0);
  const double inertia = 0.3 + 4.0 * 0.8 + 4.0 * 0.01 * 5.0;
  const double angle = 0.5 * 0.7 / inertia * 4.0;
  const State end = shown_at_end(model, result);
  EXPECT_NEAR(end.q[2], angle, 1e-9);
  EXPECT_NEAR(end.q[5], -2.0 * angle, 1e-9);
  EXPECT_NEAR(end.q[6] - 1.0, -0.2 * angle, 1e-9);
}

TEST(Drivers, PrescribeAMotionAndDoTheWorkForIt) {
  const Model model = model_of(R"toml(format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
[bodies.arm]
mass = 2.0
inertia = 0.4
com = [0.5, 0.0]
points = { O = [0.0, 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "arm.O"] }
[drivers]
motor = { coordinate = "arm.angle", motion = "0.3 + 0.5*t^2" }
)toml");
  const Result result = run_until(model, 2.0);
  const State end = shown_at_end(model, result);
  EXPECT_NEAR(end.q[2], 2.3, 1e-12);
  EXPECT_NEAR(end.v[2], 2.0, 1e-12);
  EXPECT_NEAR(end.a[2], 1.0, 1e-12);
  EXPECT_NEAR(-end.lambda[2], 0.4 + 2.0 * 0.25 + 2.0 * 9.81 * 0.5 * std::cos(2.3), 1e-10);
  EXPECT_LE(result.quality.energy_drift, 1e-10);
}

TEST(Redundancy, ADoorOnTwoHingesRunsAndTellsWhichReactionsAreNotUnique) {
  const Model model = model_of(R"toml(format = "raak/1"
space = "spatial"
gravity = [0.0, -9.81, 0.0]
[ground.points]
A = [0.0, 0.0, 0.0]
B = [0.0, 0.0, 2.0]
[bodies.door]
mass = 10.0
inertia = [3.4, 4.2, 0.9]
com = [0.5, 0.0, 1.0]
points = { A = [0.0, 0.0, 0.0], B = [0.0, 0.0, 2.0] }
[joints]
low = { type = "revolute", pins = ["ground.A", "door.A"], axes = ["ground.z", "door.z"] }
high = { type = "revolute", pins = ["ground.B", "door.B"], axes = ["ground.z", "door.z"] }
)toml",
                               Coordinates::automatic);
  ASSERT_TRUE(model.mobility);
  EXPECT_EQ(model.mobility->mobility, 1);
  EXPECT_EQ(model.mobility->gruebler, -4);
  EXPECT_EQ(model.mobility->sharing, (std::vector<std::string>{"high", "low"}));
  const Result result = run_until(model, 0.5);
  // A physical pendulum about z: m g l / (I + m l^2) with l = 0.5.
  EXPECT_EQ(result.termination, Termination::ok) << result.message;
  EXPECT_LE(result.quality.energy_drift, 1e-8);
}

}  // namespace
}  // namespace raak

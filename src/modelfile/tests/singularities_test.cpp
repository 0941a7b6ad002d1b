// Mechanisms from files in, beside and through configurations where constraint rows are dependent, and with rows to
// spare.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "base/error.h"
#include "mechanism/formulas/mechanism_system.h"
#include "mechanism/rows/dropped_rows.h"
#include "modelfile/tests/test_support.h"
#include "run/integrate.h"

namespace raak {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double gravity = 9.81;

// IFToMM benchmark A02: N parallelograms of bars of 1 m and 1 kg; `angle` of the rockers from upright, clockwise.
std::string n_four_bar(int N, double angle, double speed, double last_mass) {
  std::string bodies, joints, guesses, couplers;
  std::string text = "format = \"raak/1\"\ngravity = [0.0, -9.81]\n[ground.points]\n";
  for (int i = 0; i <= N; ++i) {
    const std::string k = std::to_string(i);
    const std::string mass = std::to_string(i == N ? last_mass : 1.0);
    text += "A" + k + " = [" + k + ".0, 0.0]\n";
    bodies += "[bodies.rocker" + k + "]\nmass = " + mass + "\ninertia = \"" + mass +
              "/12\"\ncom = [0.0, 0.5]\npoints = { A = [0.0, 0.0], B = [0.0, 1.0] }\n";
    joints += "A" + k + " = { type = \"revolute\", pins = [\"ground.A" + k + "\", \"rocker" + k + ".A\"] }\n";
    joints += "B" + k + " = { type = \"revolute\", pins = [\"rocker" + k + ".B\"" +
              (i > 0 ? ", \"coupler" + std::to_string(i - 1) + ".R\"" : "") +
              (i < N ? ", \"coupler" + k + ".L\"" : "") + "] }\n";
    if (i < N)
      bodies += "[bodies.coupler" + k +
                "]\nmass = 1.0\ninertia = \"1/12\"\ncom = [0.5, 0.0]\npoints = { L = [0.0, 0.0], R "
                "= [1.0, 0.0] }\n";
    char values[200];
    std::snprintf(values, sizeof values, "\"rocker%d.angle\" = %.17g\n\"rocker%d.omega\" = %.17g\n", i, -angle, i,
                  -speed);
    guesses += i == 0 ? "[start.trust]\n" + std::string(values) + "[start.guess]\n" : values;
    if (i < N) couplers += "\"coupler" + k + ".angle\" = 0.0\n";
  }
  return text + bodies + "[joints]\n" + joints + guesses + couplers;
}

// The same motion as one pendulum, theta'' = (G/I) sin theta, by the classical Runge-Kutta method in small steps.
double pendulum_angle(int N, double angle, double speed, double last_mass, double until) {
  const double mass = N + last_mass;
  const double rate = gravity * (mass / 2.0 + N) / (mass / 3.0 + N);
  const int steps = 200000;
  const double h = until / steps;
  double q = angle;
  double v = speed;
  for (int i = 0; i < steps; ++i) {
    const double a1 = rate * std::sin(q);
    const double a2 = rate * std::sin(q + 0.5 * h * v);
    const double a3 = rate * std::sin(q + 0.5 * h * v + 0.25 * h * h * a1);
    const double a4 = rate * std::sin(q + h * v + 0.5 * h * h * a2);
    q += h * v + h * h * (a1 + a2 + a3) / 6.0;
    v += h * (a1 + 2.0 * a2 + 2.0 * a3 + a4) / 6.0;
  }
  return q;
}

Result run_tightly(const ConstrainedSystem& system, const State& start, double until, const std::string& method) {
  Plan plan;
  plan.until = until;
  plan.method = method;
  plan.tolerances = Tolerances::uniform(1e-10, 1e-10);
  return integrate(system, start, plan);
}

// Of all rockers, which must have stayed parallel.
void expect_rockers_at(const Model& model, const Result& result, int N, double angle) {
  EXPECT_EQ(result.termination, Termination::ok) << result.message;
  EXPECT_LE(result.quality.energy_drift, 1e-6);
  State shown;
  model.system->report(result.end, shown);
  const auto& names = model.system->reported().positions;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].starts_with("rocker") && names[i].ends_with("angle")) {
      EXPECT_NEAR(shown.q[static_cast<Eigen::Index>(i)], -angle, 1e-7) << names[i] << ", N = " << N;
    }
}

TEST(NFourBar, PassesItsSingularitiesOnTheBranchOfTheParallelogram) {
  for (const int N : {1, 2, 5, 10}) {
    for (const double last_mass : {1.0, 3.0}) {
      const Model model = model_of(n_four_bar(N, 0.0, 1.0, last_mass), Coordinates::automatic);
      const Result result = run_tightly(*model.system, consistent_start(model), 4.0, "tangent");
      expect_rockers_at(model, result, N, pendulum_angle(N, 0.0, 1.0, last_mass, 4.0));
      EXPECT_GE(result.singularities.size(), 3U);
    }
  }
}

TEST(NFourBar, PassesItsSingularitiesWithOverAHundredBodies) {
  const Model model = model_of(n_four_bar(61, 0.0, 1.0, 1.0), Coordinates::automatic);
  const Result result = run_tightly(*model.system, consistent_start(model), 1.5, "auto");
  expect_rockers_at(model, result, 61, pendulum_angle(61, 0.0, 1.0, 1.0, 1.5));
  EXPECT_GE(result.singularities.size(), 1U);
}

TEST(NFourBar, StartsInItsSingularityAndBesideIt) {
  for (const int N : {1, 2, 5}) {
    for (const double before : {0.0, 1e-14, 1e-10, 1e-7, 1e-5, 1e-3, 1e-2, -1e-6}) {
      const double angle = pi / 2.0 - before;
      const Model model = model_of(n_four_bar(N, angle, 4.0, 3.0), Coordinates::automatic);
      const Result result = run_tightly(*model.system, consistent_start(model), 1.5, "tangent");
      SCOPED_TRACE(before);
      expect_rockers_at(model, result, N, pendulum_angle(N, angle, 4.0, 3.0, 1.5));
    }
  }
}

TEST(NFourBar, HasTheLimitOfItsAccelerationsInTheSingularityAndNoReactions) {
  const Model model = model_of(n_four_bar(5, pi / 2.0, 4.0, 3.0), Coordinates::automatic);
  State shown;
  model.system->report(consistent_start(model), shown);
  const auto& names = model.system->reported().velocities;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].starts_with("rocker") && names[i].ends_with("angle")) {
      EXPECT_NEAR(shown.a[static_cast<Eigen::Index>(i)], -11.516086957, 1e-6) << names[i];
    }
  for (const double lambda : shown.lambda) EXPECT_TRUE(std::isnan(lambda));
}

TEST(NFourBar, RefusesRatesThatBelongToNoBranchOfTheSingularity) {
  std::string text = n_four_bar(1, pi / 2.0, 4.0, 1.0);
  text.replace(text.find("\"rocker1.omega\" = -4"), 20, "\"rocker1.omega\" = 2.0");
  const Model model = model_of(text, Coordinates::automatic);
  try {
    consistent_start(model);
    FAIL() << "it started";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("belong to none"), std::string::npos) << error.what();
  }
}

// The parallelogram of one loop, its first rocker driven clockwise; `rates` are more lines of [start.trust].
std::string driven_parallelogram(const std::string& motion, double angle, const std::string& rates = "") {
  std::string text = n_four_bar(1, angle, 0.0, 1.0);
  char guess[40];
  std::snprintf(guess, sizeof guess, "%.17g", -angle);
  const auto start = text.find("[start.trust]");
  text = text.substr(0, start) + "[drivers]\nturn = { coordinate = \"rocker0.angle\", motion = \"" + motion +
         "\" }\n[start.trust]\n" + rates + "[start.guess]\n\"rocker1.angle\" = " + guess +
         "\n\"coupler0.angle\" = 0.0\n";
  return text;
}

// The other rocker follows, and the coupler only translates.
void expect_parallelogram(const Model& model, const Result& result, double angle) {
  ASSERT_EQ(result.termination, Termination::ok) << result.message;
  State shown;
  model.system->report(result.end, shown);
  const auto& names = model.system->reported().positions;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double found = shown.q[static_cast<Eigen::Index>(i)];
    if (names[i] == "rocker1.angle") {
      EXPECT_NEAR(found, angle, 1e-9);
    }
    if (names[i] == "coupler0.angle") {
      EXPECT_NEAR(found, 0.0, 1e-9);
    }
  }
}

TEST(DrivenParallelogram, PassesItsSingularitiesWithEveryCollocationMethod) {
  for (const char* method : {"auto", "tangent", "gauss", "radau"}) {
    for (const double rtol : {1e-4, 1e-6, 1e-10}) {
      SCOPED_TRACE(method);
      const Model model = model_of(driven_parallelogram("-0.3 - 2.5*sin(t)", 0.3), Coordinates::automatic);
      Plan plan;
      plan.until = 4.0;
      plan.method = method;
      plan.tolerances = Tolerances::uniform(rtol, rtol);
      const Result result = integrate(*model.system, consistent_start(model), plan);
      expect_parallelogram(model, result, -0.3 - 2.5 * std::sin(4.0));
      EXPECT_GE(result.singularities.size(), 1U);
    }
  }
}

TEST(DrivenParallelogram, StartsInTheSingularityThatOneMotionPasses) {
  const Model model = model_of(driven_parallelogram("-pi/2 - 2*t", pi / 2.0), Coordinates::automatic);
  ASSERT_TRUE(model.mobility);
  EXPECT_EQ(model.mobility->mobility, 0);
  EXPECT_EQ(model.mobility->momentary, 1);
  const Result result = run_tightly(*model.system, consistent_start(model), 2.0, "auto");
  expect_parallelogram(model, result, -pi / 2.0 - 4.0);
}

TEST(DrivenParallelogram, AsksForARateInTheSingularityWhereTwoMotionsCrossAndFollowsIt) {
  try {
    consistent_start(model_of(driven_parallelogram("pi/2 - 2*t", -pi / 2.0), Coordinates::automatic));
    FAIL() << "it started";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("\"rocker1.omega\" = -2"), std::string::npos) << message;
    EXPECT_NE(message.find("\"rocker1.omega\" = 0"), std::string::npos) << message;
  }
  const Model model =
      model_of(driven_parallelogram("pi/2 - 2*t", -pi / 2.0, "\"coupler0.omega\" = 0.0\n"), Coordinates::automatic);
  const Result result = run_tightly(*model.system, consistent_start(model), 2.0, "auto");
  expect_parallelogram(model, result, pi / 2.0 - 4.0);
}

TEST(LeftOutRows, EndTheRunWhenTheyOpen) {
  const ScratchModel file(R"toml(format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
[bodies.arm]
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
points = { O = [0.0, 0.0] }
[joints]
pin = { type = "revolute", pins = ["ground.O", "arm.O"] }
)toml");
  const auto mechanism = std::make_shared<const Mechanism>(read_mechanism(read_document(file.path()), file.path()));
  const auto instance = std::make_shared<const Instance>(mechanism, declared_parameters(*mechanism));
  const auto all = std::make_shared<MaximalFormulas>(instance);
  const auto kept = std::make_shared<MaximalFormulas>(instance);
  kept->keep({0}, all->directions());  // the arm may slip along y
  const auto system = std::make_shared<const MechanismSystem>(kept);
  State start = State::of_size(3, 1);
  start.q[0] = 0.5;
  complete_start(*system, start);
  Plan plan;
  plan.until = 1.0;
  plan.dropped_rows = watch_dropped_rows(all, *kept, std::make_shared<const MechanismSystem>(all), system);
  ASSERT_TRUE(plan.dropped_rows);
  const Result result = integrate(*system, start, plan);
  EXPECT_EQ(result.termination, Termination::failed);
  EXPECT_NE(result.message.find("pin"), std::string::npos) << result.message;
  EXPECT_LT(result.end.t, 1.0);
}

TEST(Redundancy, ReactionsThatAreNotUniqueAreAbsentAndOthersAreNot) {
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
points = { A = [0.0, 0.0, 0.0], B = [0.0, 0.0, 2.0], C = [1.0, 0.0, 1.0] }
[bodies.bob]
type = "point"
mass = 1.0
[joints]
low = { type = "revolute", pins = ["ground.A", "door.A"], axes = ["ground.z", "door.z"] }
high = { type = "revolute", pins = ["ground.B", "door.B"], axes = ["ground.z", "door.z"] }
string = { type = "distance", between = ["door.C", "bob"], length = 1.0 }
[start.guess]
"bob.position" = [1.0, -1.0, 1.0]
[outputs]
pull = "low.force.y"
hang = "string.force.y"
)toml");
  const State start = consistent_start(model);
  Vector outputs(2);
  model.system->evaluate_outputs(start, outputs);
  EXPECT_TRUE(std::isnan(outputs[0]));
  EXPECT_TRUE(std::isfinite(outputs[1]));
  State shown;
  model.system->report(start, shown);
  for (Eigen::Index i = 0; i < 10; ++i) EXPECT_TRUE(std::isnan(shown.lambda[i])) << i;
  EXPECT_TRUE(std::isfinite(shown.lambda[10]));
  EXPECT_EQ(model.mobility->sharing, (std::vector<std::string>{"high", "low"}));
}

TEST(Redundancy, AnEquationWithoutASlopeIsRefusedInsteadOfCountedAsRedundant) {
  for (const char* equation : {"abs(arm.angle)", "arm.angle^2"}) {
    const std::string text = R"toml(format = "raak/1"
[ground.points]
O = [0.0, 0.0]
[bodies.arm]
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
points = { O = [0.0, 0.0] }
[joints]
pin = { type = "revolute", pins = ["ground.O", "arm.O"] }
[constraints]
still = { equation = ")toml" +
                             std::string(equation) + "\" }\n";
    EXPECT_THROW(model_of(text), Error) << equation;
  }
}

}  // namespace
}  // namespace raak

// Screws and gears in space over many turns: closed-form motion and reactions, and rows that do not open.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "modelfile/tests/test_support.h"
#include "run/integrate.h"

namespace raak {
namespace {

constexpr double gravity = 9.81;

Result run(const Model& model, double until, const std::string& method, double rtol) {
  Plan plan;
  plan.until = until;
  plan.method = method;
  plan.tolerances = Tolerances::uniform(rtol, rtol);
  return integrate(*model.system, consistent_start(model), plan);
}

// A nut that falls along its spindle, which it starts on turned and lifted.
constexpr const char* nut = R"toml(format = "raak/1"
space = "spatial"
gravity = [0.0, 0.0, -9.81]
[ground.points]
O = [0.0, 0.0, 0.0]
[bodies.nut]
mass = 1.0
inertia = [1e-4, 1e-4, 1e-4]
points = { C = [0.0, 0.0, 0.0] }
[joints]
spindle = { type = "screw", pins = ["ground.O", "nut.C"], axes = ["ground.z", "nut.z"], pitch = 0.01 }
[start.guess]
"nut.position" = [0.0, 0.0, 0.37]
"nut.rotation" = [0.0, 0.0, 0.8]
[outputs]
lift = "spindle.force.z"
twist = "spindle.moment.z"
)toml";

TEST(Screw, FallsForThreeHundredTurnsAsItsInertiaSaysAndStaysOnItsThread) {
  const double per_metre = 2.0 * std::numbers::pi / 0.01;
  const double a = -gravity / (1.0 + 1e-4 * per_metre * per_metre);
  const double way = 0.5 * a * 25.0;
  ASSERT_GT(std::abs(way) / 0.01, 300.0);
  for (const Coordinates form : {Coordinates::maximal, Coordinates::element_by_element}) {
    const Model model = model_of(nut, form);
    EXPECT_EQ(model.system->velocity_rows(), 0);
    for (const char* method : {"auto", "gauss", "tangent", "dop853"}) {
      if (form == Coordinates::element_by_element && std::string(method) == "tangent") continue;
      SCOPED_TRACE(method);
      const Result result = run(model, 5.0, method, 1e-9);
      ASSERT_EQ(result.termination, Termination::ok) << result.message;
      const State end = shown_at_end(model, result);
      EXPECT_NEAR(end.q[2], 0.37 + way, 1e-7);
      // The quaternion of the turn about z that the way there says.
      const double half = 0.5 * (0.8 + (end.q[2] - 0.37) * per_metre);
      const double off = end.q[3] * std::sin(half) - end.q[6] * std::cos(half);
      EXPECT_NEAR(off, 0.0, 1e-9);
      EXPECT_LE(result.quality.position_residual, 1e-11);
      EXPECT_NEAR(result.outputs[0], gravity + a, 1e-7);
      EXPECT_NEAR(result.outputs[1], 1e-4 * per_metre * a, 1e-7);
    }
  }
}

TEST(Screw, WithoutPitchSlidesNotAtAll) {
  std::string text = nut;
  text.replace(text.find("pitch = 0.01"), 12, "pitch = 0.00");
  const Model model = model_of(text);
  const Result result = run(model, 1.0, "auto", 1e-8);
  EXPECT_NEAR(shown_at_end(model, result).q[2], 0.37, 1e-12);
  EXPECT_NEAR(result.outputs[0], gravity, 1e-9);
}

// Bevel gears on axes across each other, the first driven by a motor; the second stands askew at the start.
std::string bevel(const std::string& ratio) {
  return R"toml(format = "raak/1"
space = "spatial"
[ground.points]
O = [0.0, 0.0, 0.0]
P = [1.0, 0.0, 1.0]
[bodies.a]
mass = 1.0
inertia = [0.3, 0.3, 0.4]
points = { C = [0.0, 0.0, 0.0] }
[bodies.b]
mass = 1.0
inertia = [0.5, 0.6, 0.6]
points = { C = [0.0, 0.0, 0.0] }
[joints]
A = { type = "revolute", pins = ["ground.O", "a.C"], axes = ["ground.z", "a.z"] }
B = { type = "revolute", pins = ["ground.P", "b.C"], axes = ["ground.x", "b.x"] }
mesh = { type = "gear", bodies = ["a", "b"], axes = ["ground.z", "b.x"], ratio = )toml" +
         ratio + R"toml( }
[forces]
motor = { type = "torque", on = "a", value = [0.0, 0.0, 5.0] }
[start.guess]
"b.rotation" = [2.6, 0.0, 0.0]
[outputs]
tooth = "mesh.moment.x"
)toml";
}

TEST(Gears, InSpaceTurnTogetherForManyTurns) {
  struct Case {
    const char* text;
    double ratio;
    int velocity_rows;
  };
  for (const Case& c :
       {Case{"-2.0", -2.0, 0}, Case{"\"17/23\"", 17.0 / 23.0, 0}, Case{"\"-sqrt(2)\"", -std::sqrt(2.0), 1}}) {
    const Model model = model_of(bevel(c.text));
    EXPECT_EQ(model.system->velocity_rows(), c.velocity_rows) << c.text;
    const double inertia = 0.4 + c.ratio * c.ratio * 0.5;
    const double angle = 0.5 * 5.0 / inertia * 100.0;
    for (const char* method : {"auto", "gauss", "dop853"}) {
      SCOPED_TRACE(std::string(c.text) + method);
      const Result result = run(model, 10.0, method, 1e-10);
      ASSERT_EQ(result.termination, Termination::ok) << result.message;
      const State end = shown_at_end(model, result);
      const auto off = [&](Eigen::Index first, int axis, double by) {
        return end.q[first] * std::sin(0.5 * by) - end.q[first + axis] * std::cos(0.5 * by);
      };
      EXPECT_NEAR(off(3, 3, angle), 0.0, 1e-7);
      EXPECT_NEAR(off(10, 1, 2.6 + c.ratio * angle), 0.0, 1e-7);
      EXPECT_NEAR(result.outputs[0], 0.5 * c.ratio * 5.0 / inertia, 1e-7);
      if (c.velocity_rows == 0) {
        EXPECT_LE(result.quality.position_residual, 1e-11);
      }
    }
  }
}

}  // namespace
}  // namespace raak

// References of a file belong to the run that they name, and what is written in formulas means what it says.
#include <gtest/gtest.h>

#include <cmath>

#include "modelfile/tests/test_support.h"
#include "run/integrate.h"

namespace raak {
namespace {

// A rotor at constant speed on a hinge whose name has a hyphen: its driver must lift the weight, the hinge carries it.
constexpr const char* lifted_weight = R"toml(format = "raak/1"
gravity = [0.0, -10.0]
[ground.points]
O = [0.0, 0.0]
[bodies.arm]
mass = 2.0
inertia = 0.3
com = [0.5, 0.0]
points = { O = [0.0, 0.0] }
[joints]
main-hinge = { type = "revolute", pins = ["ground.O", "arm.O"] }
[drivers]
the-motor = { coordinate = "arm.angle", motion = "0.3 + 2*t" }
[outputs]
up = "main-hinge.force.y"
torque = "the-motor.moment"
difference = "up_again-main-hinge.force.y"
[parameters]
up_again = 7.0
[runs.default]
until = 1.0
[runs.short]
until = 0.5
[references.short]
run = "short"
values = { "arm.angle" = 1.3 }
[references.default]
values = { "arm.angle" = 2.3 }
)toml";

TEST(ModelFile, TellsTheTorqueOfADriverAndReadsHyphenatedNames) {
  const Model model = model_of(lifted_weight, Coordinates::automatic);
  const State start = consistent_start(model);
  Vector values(3);
  model.system->evaluate_outputs(start, values);
  // Centre of mass at 0.5 m, turning at 2 rad/s.
  const double acceleration = -0.5 * 4.0 * std::sin(0.3);
  EXPECT_NEAR(values[0], 2.0 * (10.0 + acceleration), 1e-12);
  EXPECT_NEAR(values[1], 2.0 * 10.0 * 0.5 * std::cos(0.3), 1e-12);
  EXPECT_NEAR(values[2], 7.0 - values[0], 1e-12);
}

TEST(ModelFile, JudgesARunByItsOwnReferencesOnly) {
  const ScratchModel file(lifted_weight);
  const ModelSource source = load_model(file.path());
  for (const auto& run : source.runs) {
    Model model = source.build(source.parameters, Form::index1);
    keep_references_of(model, run.name);
    ASSERT_EQ(model.references.size(), 1U) << run.name;
    EXPECT_EQ(model.references[0].run, run.name);
    EXPECT_TRUE(model.references[0].has_time(run.until));
  }
}

TEST(ModelFile, RefusesAReferenceThatItsRunDoesNotReach) {
  const ScratchModel file(R"toml(format = "raak/1"
[bodies.b]
mass = 1.0
inertia = 1.0
[runs.short]
until = 1.0
[references.late]
run = "short"
at = 2.0
values = { "b.x" = 0.0 }
)toml");
  try {
    (void)load_model(file.path());
    FAIL();
  } catch (const Error& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find(":9:6: reference \"late\" is at t = 2 s, which run \"short\" from 0 to 1 s does not reach"),
              std::string::npos)
        << said;
  }
}

TEST(ModelFile, WorksOutAChainOfManyParametersWhateverItsOrder) {
  constexpr int links = 20000;
  std::string text = "format = \"raak/1\"\n[parameters]\n";
  for (int i = 0; i < links; ++i) text += "p" + std::to_string(i) + " = \"p" + std::to_string(i + 1) + " + 1\"\n";
  text += "p" + std::to_string(links) + " = 1.0\n[bodies.b]\nmass = \"p0\"\ninertia = 1.0\n";
  const ScratchModel file(text);
  const ModelSource source = load_model(file.path());
  EXPECT_EQ(source.parameters.number("p0"), links + 1.0);
  const Model model = source.build(source.parameters, Form::index1);
  Matrix M(3, 3);
  model.system->mass(0.0, Vector::Zero(3), M);
  EXPECT_EQ(M(0, 0), links + 1.0);
}

}  // namespace
}  // namespace raak

// Modes in space and in free motion, and configurations that have none.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "study/modes/modes_test_support.h"

namespace raak {
namespace {

std::string body_in_space(const std::string& joints) {
  return R"(format = "raak/1"
space = "spatial"
gravity = [0.0, 0.0, GRAVITY]
[ground.points]
O = [0.0, 0.0, 0.0]
[bodies.body]
mass = 3.0
inertia = [0.5, 0.3, 0.7]
com = [0.2, 0.0, -0.4]
points = { O = [0.0, 0.0, 0.0] }
)" + joints;
}

// omega^2 = m g d / (I + m d^2), the axis level and the centre of mass d below it.
TEST(Modes, OfACompoundPendulumInSpaceAreTheClosedForm) {
  const std::string text = filled(
      body_in_space("[joints]\nO = { type = \"revolute\", pins = [\"ground.O\", \"body.O\"], axes = [\"ground.y\", "
                    "\"body.y\"] }\n[start.guess]\n\"body.rotation\" = [0.0, 0.4, 0.0]\n"),
      "GRAVITY", "-9.81");
  const double d = std::hypot(0.2, 0.4), expected = std::sqrt(3.0 * 9.81 * d / (0.3 + 3.0 * d * d));
  for (const Coordinates coordinates : all_coordinates)
    expect_frequencies(find_modes(model_of(text, coordinates), {}), {expected});
}

TEST(Modes, OfABodyOnABallJointAreTwoSwingsAndASpin) {
  const std::string text = filled(
      body_in_space("[joints]\nO = { type = \"spherical\", pins = [\"ground.O\", \"body.O\"] }\n"), "GRAVITY", "-9.81");
  for (const Coordinates coordinates : all_coordinates) {
    const Modes found = find_modes(model_of(text, coordinates), {});
    ASSERT_EQ(found.modes.size(), 3U);
    EXPECT_EQ(found.modes[0].kind, Mode::Kind::rigid) << "about the vertical";
    EXPECT_EQ(found.modes[1].kind, Mode::Kind::vibration);
    EXPECT_EQ(found.modes[2].kind, Mode::Kind::vibration);
  }
}

TEST(Modes, OfAFreeBodyAreRigid) {
  for (const Coordinates coordinates : {Coordinates::maximal, Coordinates::element_by_element}) {
    const Modes found = find_modes(model_of(filled(body_in_space(""), "GRAVITY", "0.0"), coordinates), {});
    ASSERT_EQ(found.modes.size(), 6U);
    for (const Mode& mode : found.modes) {
      EXPECT_EQ(mode.kind, Mode::Kind::rigid);
      EXPECT_EQ(mode.omega(), 0.0);
      EXPECT_NEAR(mode.shape.cwiseAbs().maxCoeff(), 1.0, 1e-12);
    }
  }
}

TEST(Modes, OfAFallingBodyHaveNoEquilibrium) {
  const Model model = model_of(filled(body_in_space(""), "GRAVITY", "-9.81"));
  try {
    find_modes(model, {});
    FAIL() << "it falls";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::computation);
    EXPECT_NE(std::string(error.what()).find("no static equilibrium"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("\"body.velocity.z\""), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("--at"), std::string::npos) << error.what();
  }
  ModesRequest request;
  request.at = 0.0;
  EXPECT_EQ(find_modes(model, request).modes.size(), 6U);
}

// All links of a parallelogram in one line.
TEST(Modes, AboutASingularConfigurationAreRefusedWithItsJoints) {
  const auto model = model_of(R"(format = "raak/1"
[ground.points]
A = [0.0, 0.0]
D = [2.0, 0.0]
[bodies.a]
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
points = { A = [0.0, 0.0], B = [1.0, 0.0] }
[bodies.b]
mass = 1.0
inertia = 0.1
com = [1.0, 0.0]
points = { B = [0.0, 0.0], C = [2.0, 0.0] }
[bodies.c]
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
points = { D = [0.0, 0.0], C = [1.0, 0.0] }
[joints]
pa = { type = "revolute", pins = ["ground.A", "a.A"] }
pb = { type = "revolute", pins = ["a.B", "b.B"] }
pc = { type = "revolute", pins = ["b.C", "c.C"] }
pd = { type = "revolute", pins = ["ground.D", "c.D"] }
[start]
trust = { "a.angle" = 1.0, "a.omega" = 1.0 }
guess = { "b.angle" = 0.0, "c.angle" = 1.0 }
)");
  Vector q = consistent_start(model).q;
  // Both arms to the right: x, y of the centres, angles.
  q << 0.5, 0.0, 0.0, 2.0, 0.0, 0.0, 2.5, 0.0, 0.0;
  try {
    modes_about(*model.system, 0.0, q, false, {});
    FAIL() << "the rows are dependent";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::computation);
    const std::string message = error.what();
    EXPECT_NE(message.find("singular configuration"), std::string::npos) << message;
    EXPECT_NE(message.find("pa"), std::string::npos) << message;
    EXPECT_NE(message.find("--at"), std::string::npos) << message;
  }
}

// A torsion spring in space keeps the number of its turns in coordinates that do not move.
TEST(Modes, OfATorsionSpringInSpaceHaveNoModeOfItsCounter) {
  const Model model = model_of(filled(
      body_in_space("[joints]\nO = { type = \"revolute\", pins = [\"ground.O\", \"body.O\"], axes = [\"ground.y\", "
                    "\"body.y\"] }\n[forces]\nturn = { type = \"torsion-spring\", axes = [\"ground.y\", \"body.y\"], "
                    "stiffness = 9.0 }\n"),
      "GRAVITY", "0.0"));
  expect_frequencies(find_modes(model, {}), {std::sqrt(9.0 / (0.3 + 3.0 * 0.2))});
}

}  // namespace
}  // namespace raak

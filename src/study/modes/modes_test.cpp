#include "study/modes/modes.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "study/modes/modes_test_support.h"

namespace raak {
namespace {

// Starmans 1987, (5.11) to (5.13).
TEST(Modes, OfThePendulumHaveThePeriodOfTheDocument) {
  const Modes found = find_modes(problem("pendulum"), {});
  ASSERT_EQ(found.modes.size(), 1U);
  EXPECT_TRUE(found.equilibrium);
  EXPECT_NEAR(2.0 * std::numbers::pi / found.modes[0].omega(), 2.569458, 5e-7);
  EXPECT_NEAR(found.q[2], 0.0, 1e-12) << "it hangs";
  EXPECT_NEAR(found.modes[0].omega(), std::sqrt(3.0 * 9.8 * 0.75 / (3.0 * 0.75 * 0.75 + 2.0)), 1e-11);
}

// Test Set for IVP Solvers, II.19.2: those of M_Delta and K_Delta, to which the slider adds nothing if it weighs
// nothing.
TEST(Modes, OfTheSliderCrankWithoutSliderAreThoseOfTheRod) {
  const Modes found = find_modes(problem("slider-crank", {{"m3", "0"}}), {});
  expect_frequencies(found, {1276.6864, 5106.7456, 6840.8169, 24612.6584}, 1e-8);
}

// With M_Delta(4,4) + m3 instead, by hand.
TEST(Modes, OfTheSliderCrankHaveTheMassOfTheSlider) {
  const Model model = problem("slider-crank");
  const Modes found = find_modes(model, {});
  const double m = 7870.0 * 0.008 * 0.008 * 0.3, k = 2e11 * 0.008 * 0.008 / 0.3;
  Eigen::Matrix2d M, K;
  M << 8.0 * m, m, m, 2.0 * m + 0.075552;
  K << k * 16.0 / 3.0, -k * 8.0 / 3.0, -k * 8.0 / 3.0, k * 7.0 / 3.0;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d> along(K, M);
  expect_frequencies(
      found, {1276.6864, 5106.7456, std::sqrt(along.eigenvalues()[0]), std::sqrt(along.eigenvalues()[1])}, 1e-8);
  EXPECT_NEAR(found.modes[2].omega(), 6617.78, 0.01);
  EXPECT_NEAR(found.modes[3].omega(), 22605.97, 0.01);
  EXPECT_NE(model.modes_note.find("m3=0"), std::string::npos);
  EXPECT_EQ(component(model, found.modes[0].shape, "q1"), 1.0);
  EXPECT_NEAR(component(model, found.modes[0].shape, "phi1"), 0.0, 1e-12) << "the crank is held";
}

TEST(Modes, OfTheDampedSliderCrankHaveItsDampingRatios) {
  const Modes found = find_modes(problem("slider-crank", {{"damping", "on"}, {"start", "oscillatory"}}), {});
  ASSERT_EQ(found.modes.size(), 4U);
  const double m = 7870.0 * 0.008 * 0.008 * 0.3;
  EXPECT_NEAR(found.modes[0].damping(), 5.0 / (2.0 * 0.5 * m * 1276.6864), 1e-9) << "c / (2 m omega)";
  EXPECT_NEAR(found.modes[1].damping(), 25.0 / (2.0 * 0.5 * m * 5106.7456), 1e-9);
}

// omega^2 = (2 -+ sqrt 2) g / l of two equal masses on equal strings, in every direction of gravity.
TEST(Modes, OfADoublePendulumAreTheClosedForm) {
  for (const Coordinates coordinates : all_coordinates) {
    for (const char* const gravity : {"0.0, -9.81", "9.81, 0.0", "5.886, 7.848"}) {
      const Model model = model_of(filled(two_arms, "GRAVITY", gravity), coordinates);
      const double root = std::sqrt(2.0), square = 9.81 / 0.4;
      expect_frequencies(find_modes(model, {}), {std::sqrt((2.0 - root) * square), std::sqrt((2.0 + root) * square)});
    }
  }
}

// Away from an equilibrium the coordinates in which equations are solved must not matter either.
TEST(Modes, OfAMomentOfAMotionDoNotDependOnCoordinates) {
  const std::string text = filled(filled(two_arms, "GRAVITY", "0.0, -9.81"), "inertia = 1e-12", "inertia = 0.03");
  ModesRequest request;
  request.at = 0.2;
  const Modes expected = find_modes(model_of(text, Coordinates::maximal), request);
  EXPECT_FALSE(expected.equilibrium);
  ASSERT_EQ(expected.modes.size(), 2U);
  for (const Coordinates coordinates : all_coordinates)
    expect_frequencies(find_modes(model_of(text, coordinates), request), frequencies(expected), 1e-7);
}

// omega^2 = g cos(phi) m l / (m l^2 + J), of a pendulum that stands still at phi for a moment.
TEST(Modes, OfAPendulumOffItsEquilibriumHaveTheStiffnessThere) {
  ModesRequest request;
  request.at = 0.0;
  const Modes found = find_modes(problem("pendulum", {{"phi0", "0.7"}}), request);
  ASSERT_EQ(found.modes.size(), 1U);
  EXPECT_FALSE(found.equilibrium);
  EXPECT_NEAR(found.modes[0].omega(), std::sqrt(22.05 * std::cos(0.7) / 3.6875), 1e-9);
}

// In the angle of a hinge nothing is left of gravity in the equilibrium but rounding: omega^2 = m g l / I.
TEST(Modes, OfAPendulumThatHangsInAnyDirection) {
  const std::string text = R"(format = "raak/1"
space = "spatial"
gravity = [7.212675522032903, 5.388180592079505, -3.8962702320302616]
[ground.points]
O = [0.0, 0.0, 0.0]
[ground.axes]
x = [-0.3893022965473998, -0.13748258997775464, -0.9107921054532305]
[bodies.a]
mass = 1.0
inertia = [0.1, 0.2, 0.3]
com = [0.0, 0.0, -0.5]
points = { O = [0.0, 0.0, 0.0] }
[joints]
j = { type = "revolute", pins = ["ground.O", "a.O"], axes = ["ground.x", "a.x"] }
[start.guess]
"a.quaternion" = [0.21424427007839494, 0.5093606231982167, 0.20485384406841473, -0.8078898754434873]
"a.position" = [0.0, 0.0, 0.0]
)";
  for (const Coordinates coordinates : all_coordinates)
    expect_frequencies(find_modes(model_of(text, coordinates), {}), {std::sqrt(9.81 * 0.5 / 0.35)}, 1e-8);
}

// s^2 m + s c + k = 0.
TEST(Modes, OfAnOscillatorHaveTheRootsOfItsEquation) {
  const Modes damped = find_modes(model_of(slider_on_spring(50.0, 4.0)), {});
  ASSERT_EQ(damped.modes.size(), 1U);
  EXPECT_NEAR(damped.modes[0].omega(), 5.0, 1e-12);
  EXPECT_NEAR(damped.modes[0].damping(), 0.2, 1e-12);
  const Modes heavily = find_modes(model_of(slider_on_spring(48.0, 28.0)), {});  // s = -2, -12
  ASSERT_EQ(heavily.modes.size(), 2U);
  EXPECT_NEAR(heavily.modes[0].s.real(), -2.0, 1e-12);
  EXPECT_NEAR(heavily.modes[1].s.real(), -12.0, 1e-11);
  EXPECT_EQ(heavily.modes[0].kind, Mode::Kind::overdamped);
  EXPECT_EQ(heavily.modes[0].damping(), 1.0);
  const Modes dragged = find_modes(model_of(slider_on_spring(0.0, 6.0)), {});  // s = 0, -3
  ASSERT_EQ(dragged.modes.size(), 2U);
  EXPECT_EQ(dragged.modes[0].kind, Mode::Kind::rigid);
  EXPECT_NEAR(dragged.modes[1].s.real(), -3.0, 1e-12);
}

// A mass in turning axes, or on a rotor: omega = sqrt(k/m + (c/2m)^2) -+ c/2m, without damping, x and y out of step;
// without turning both frequencies are the same.
TEST(Modes, OfAMassOnARotorAreTheClosedForm) {
  const char* text = R"(format = "raak/1"
[bodies.p]
type = "point"
mass = 2.0
[forces]
hold = { type = "force", at = "p", value = ["-50*p.x + TURN*p.vy", "-50*p.y - TURN*p.vx"] }
[start.guess]
"p.x" = 0.2
)";
  const Modes turning = find_modes(model_of(filled(text, "TURN", "8.0")), {});
  expect_frequencies(turning, {std::sqrt(29.0) - 2.0, std::sqrt(29.0) + 2.0}, 1e-12);
  for (const Mode& mode : turning.modes) {
    EXPECT_EQ(mode.kind, Mode::Kind::vibration);
    EXPECT_NEAR(mode.damping(), 0.0, 1e-13);
    ASSERT_EQ(mode.quadrature.size(), 2);
    EXPECT_NEAR(mode.shape[0], 1.0, 1e-12);
    EXPECT_NEAR(std::abs(mode.quadrature[1]), 1.0, 1e-12) << "a circle";
  }
  EXPECT_NEAR(turning.modes[0].quadrature[1], -turning.modes[1].quadrature[1], 1e-12) << "one forward, one backward";
  const Modes still = find_modes(model_of(filled(text, "TURN", "0.0")), {});
  expect_frequencies(still, {5.0, 5.0}, 1e-12);
  EXPECT_NEAR(still.modes[0].shape.dot(still.modes[1].shape), 0.0, 1e-12) << "two shapes, not one twice";
}

TEST(Modes, ThatGrowAreCalledUnstable) {
  ModesRequest request;
  request.at = 0.0;
  const Modes upright = find_modes(problem("pendulum", {{"phi0", "3.141592653589793"}}), request);
  ASSERT_EQ(upright.modes.size(), 1U);
  EXPECT_EQ(upright.modes[0].kind, Mode::Kind::unstable);
  EXPECT_NEAR(upright.modes[0].s.real(), std::sqrt(22.05 / 3.6875), 1e-9);
  EXPECT_EQ(upright.modes[0].damping(), -1.0);
}

// Two masses and a spring between them, free to go.
TEST(Modes, OfAFreePairAreOneVibrationAndRigidOnes) {
  const char* text = R"(format = "raak/1"
[bodies.a]
type = "point"
mass = 1.0
[bodies.b]
type = "point"
mass = 3.0
[forces]
spring = { type = "spring", between = ["a", "b"], stiffness = 75.0, length = 1.0, damping = DAMPING }
[start.guess]
"b.x" = 1.2
)";
  for (const char* const damping : {"0.0", "0.5"}) {
    const Modes found = find_modes(model_of(filled(text, "DAMPING", damping)), {});
    ASSERT_EQ(found.modes.size(), 4U);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(found.modes[i].kind, Mode::Kind::rigid) << i;
    EXPECT_NEAR(found.modes[3].omega(), 10.0, 1e-9) << "sqrt(k / (m1 m2 / (m1 + m2)))";
  }
}

// A blade keeps a body from going sideways: the spring across has no say.
TEST(Modes, ObeyNonHolonomicRows) {
  const Model model = model_of(R"(format = "raak/1"
[ground.points]
O = [0.0, 0.0]
[bodies.sleigh]
mass = 2.0
inertia = 0.5
points = { A = [0.0, 0.0] }
[joints]
skate = { type = "knife-edge", pins = ["ground.O", "sleigh.A"], axes = ["sleigh.x"] }
[forces]
along = { type = "force", at = "sleigh.A", value = ["-18*sleigh.x", "-700*sleigh.y"] }
turn = { type = "torque", on = "sleigh", value = "-8*sleigh.angle" }
)");
  expect_frequencies(find_modes(model, {}), {3.0, 4.0});
}

std::string ziegler(double load) {
  return fmt::format(R"x(format = "raak/1"
[ground.points]
O = [0.0, 0.0]
[bodies.a]
mass = 2.0
inertia = 1e-12
com = [1.0, 0.0]
points = {{ O = [0.0, 0.0], P = [1.0, 0.0] }}
[bodies.b]
mass = 1.0
inertia = 1e-12
com = [1.0, 0.0]
points = {{ P = [0.0, 0.0], E = [1.0, 0.0] }}
[joints]
first = {{ type = "revolute", pins = ["ground.O", "a.O"] }}
second = {{ type = "revolute", pins = ["a.P", "b.P"] }}
[forces]
low = {{ type = "torque", on = "a", value = "-a.angle + (b.angle - a.angle)" }}
high = {{ type = "torque", on = "b", value = "-(b.angle - a.angle)" }}
push = {{ type = "force", at = "b.E", value = [{}, 0.0], axes = "body" }}
)x",
                     -load);
}

// A force that follows the column makes it flutter above P l / k = 7/2 - sqrt 2 (H. Ziegler, Die Stabilitaetskriterien
// der Elastomechanik, Ing.-Arch. 20, 1952).
TEST(Modes, OfAColumnUnderAFollowingForceFlutterAboveTheLoadOfZiegler) {
  const double critical = 3.5 - std::sqrt(2.0);
  for (const Coordinates coordinates : all_coordinates) {
    const Modes below = find_modes(model_of(ziegler(0.999 * critical), coordinates), {});
    ASSERT_EQ(below.modes.size(), 2U);
    for (const Mode& mode : below.modes) EXPECT_EQ(mode.kind, Mode::Kind::vibration);
    const Modes above = find_modes(model_of(ziegler(1.001 * critical), coordinates), {});
    ASSERT_EQ(above.modes.size(), 2U);
    EXPECT_TRUE(above.modes[0].kind == Mode::Kind::unstable || above.modes[1].kind == Mode::Kind::unstable);
    EXPECT_GT(above.modes[1].s.imag(), 0.1) << "it swings as it grows";
  }
}

// Lengths 1000 times smaller and time as it is: gravity is as much smaller.
TEST(Modes, DoNotDependOnTheUnitOfLength) {
  std::string small = filled(two_arms, "GRAVITY", "0.0, -9.81e-3");
  small = filled(small, "0.4", "0.4e-3");
  small = filled(small, "1e-12", "1e-18");
  const Modes large = find_modes(model_of(filled(two_arms, "GRAVITY", "0.0, -9.81")), {});
  const Model model = model_of(small);
  const Modes found = find_modes(model, {});
  expect_frequencies(found, frequencies(large), 1e-9);
  for (std::size_t i = 0; i < 2; ++i)
    for (const char* const name : {"a.angle", "b.angle", "b.x", "b.y"}) {
      const double unit = std::string(name).ends_with("angle") ? 1.0 : 1e-3;
      EXPECT_NEAR(component(model, found.modes[i].shape, name) / unit, component(model, large.modes[i].shape, name),
                  1e-9)
          << name << " of mode " << i + 1;
    }
}

}  // namespace
}  // namespace raak

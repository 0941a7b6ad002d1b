// Modes where forces have corners, are barely smooth, or have slopes that differ by many powers of ten.
#include "base/error.h"
#include "study/modes/modes_test_support.h"

namespace raak {
namespace {

std::string slider_under(const std::string& force) {
  std::string text = slider_on_spring(0.0, 0.0);
  const std::string linear = "-0*cart.x - 0*cart.vx";
  return text.replace(text.find(linear), linear.size(), force);
}

// One-sided slopes differ, or are infinite: dry friction, a contact that just touches, a root.
TEST(Modes, AreRefusedWhereAForceHasNoDerivative) {
  for (const char* force : {"-8*cart.x - sign(cart.vx)", "-cart.x - 3*max(0, cart.x)", "-sqrt(abs(cart.x))",
                            "-8*cart.x - 5*sign(cart.vx)*sqrt(abs(cart.vx))"}) {
    try {
      modes_about(*model_of(slider_under(force)).system, 0.0, Vector::Zero(3), true, {});
      ADD_FAILURE() << force << " has modes";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::computation);
      EXPECT_NE(std::string(error.what()).find("\"cart.centre.x\" has no derivative"), std::string::npos)
          << force << ": " << error.what();
    }
  }
}

// With a slope that changes by any power of the distance.
TEST(Modes, AreFoundWhereAForceIsBarelySmooth) {
  for (const char* force : {"-8*cart.x - 3*cart.vx*abs(cart.vx)", "-8*cart.x - 3*cart.x*abs(cart.x)",
                            "-8*cart.x - 1e6*cart.x^3", "-8*cart.x - 2*max(0, cart.x - 0.1)"}) {
    const Modes found = modes_about(*model_of(slider_under(force)).system, 0.0, Vector::Zero(3), true, {});
    ASSERT_EQ(found.modes.size(), 1U) << force;
    EXPECT_NEAR(found.modes[0].omega(), 2.0, 1e-12) << force;
  }
}

// Frequencies that differ by more than the digits of their squares, and a motion that nothing holds beside them.
TEST(Modes, OfSlowMotionsBesideFastOnesKeepTheirDigits) {
  const Modes found = find_modes(model_of(R"(format = "raak/1"
[bodies.m]
type = "point"
mass = 1.0
[bodies.n]
type = "point"
mass = 1.0
[forces]
f = { type = "force", at = "m", value = ["-1e16*m.x", "-1*m.y"] }
g = { type = "force", at = "n", value = ["-1e-4*n.x", 0.0] }
)"),
                                 {});
  ASSERT_EQ(found.modes.size(), 4U);
  EXPECT_EQ(found.modes[0].kind, Mode::Kind::rigid);
  EXPECT_NEAR(found.modes[1].omega(), 0.01, 1e-13);
  EXPECT_NEAR(found.modes[2].omega(), 1.0, 1e-12);
  EXPECT_NEAR(found.modes[3].omega(), 1e8, 1e-3);
}

}  // namespace
}  // namespace raak

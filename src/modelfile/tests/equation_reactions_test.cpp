// What free equations exert, against the loads that they carry.
#include <gtest/gtest.h>

#include "modelfile/tests/test_support.h"

namespace raak {
namespace {

// A weight on a string of 1 m that is written as an equation, and a plate that equations hold against gravity and a
// torque, its frame 0.5 m beside its centre of mass.
constexpr const char* held_by_equations = R"toml(format = "raak/1"
gravity = [0.0, -10.0]
[bodies.bob]
type = "point"
mass = 2.0
[bodies.plate]
mass = 3.0
inertia = 0.1
com = [0.5, 0.0]
[constraints]
string = { equation = "bob.x^2 + bob.y^2 - 1" }
at-x = { equation = "plate.x" }
at-y = { equation = "plate.y - 3" }
level = { equation = "2*plate.angle" }
[start]
trust = { "bob.x" = 0.0 }
guess = { "bob.y" = -1.0 }
[outputs]
stretch = "string.lambda"
up = "string.bob.force.y"
none = "string.plate.force.y"
lift = "at-y.plate.force.y"
half = "level.lambda"
hold = "level.plate.moment"
)toml";

TEST(Equations, HaveTheirMultipliersAndWhatTheyExertAsOutputs) {
  for (const Coordinates form : {Coordinates::maximal, Coordinates::automatic, Coordinates::element_by_element}) {
    const Model model = model_of(held_by_equations, form);
    Vector values(6);
    model.system->evaluate_outputs(consistent_start(model), values);
    EXPECT_NEAR(values[0], 10.0, 1e-12);  // times the slope 2y = -2: 20 N
    EXPECT_NEAR(values[1], 20.0, 1e-12);
    EXPECT_EQ(values[2], 0.0);
    EXPECT_NEAR(values[3], 30.0, 1e-12);
    EXPECT_NEAR(values[4], -7.5, 1e-12);  // times the slope 2, against 30 N at 0.5 m
    EXPECT_NEAR(values[5], 15.0, 1e-12);
  }
}

TEST(Equations, AreNamedWithWhatTheyHaveWhereANameIsWrong) {
  std::string text = held_by_equations;
  text.replace(text.find("string.lambda"), 13, "string.lamda ");
  try {
    (void)model_of(text);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"string.lambda\"?"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace raak

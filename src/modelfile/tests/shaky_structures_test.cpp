// Structures that can move at first order in one configuration only, and mechanisms in configurations where they might
// be taken for such.
#include <gtest/gtest.h>

#include "modelfile/tests/test_support.h"

namespace raak {
namespace {

// Two bars of 1 m between pins on the ground at a distance.
std::string two_bars(const std::string& distance, const std::string& more = "") {
  return R"toml(format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
A = [0.0, 0.0]
C = [)toml" +
         distance + R"toml(, 0.0]
[bodies.left]
mass = 1.0
inertia = 0.1
points = { A = [-0.5, 0.0], B = [0.5, 0.0] }
[bodies.right]
mass = 1.0
inertia = 0.1
points = { B = [-0.5, 0.0], C = [0.5, 0.0] }
)toml" + more +
         R"toml([joints]
A = { type = "revolute", pins = ["ground.A", "left.A"] }
B = { type = "revolute", pins = ["left.B", "right.B"] }
C = { type = "revolute", pins = ["right.C", "ground.C"] }
)toml";
}

TEST(Structures, InASingularConfigurationHaveNoMobilityAndSaySo) {
  const Model model = model_of(two_bars("2.0"), Coordinates::automatic);
  ASSERT_TRUE(model.mobility);
  EXPECT_EQ(model.mobility->mobility, 0);
  EXPECT_EQ(model.mobility->gruebler, 0);
  EXPECT_EQ(model.mobility->rank, 5);
  ASSERT_EQ(model.mobility->notes.size(), 1U);
  EXPECT_NE(model.mobility->notes[0].find("a structure in a singular configuration"), std::string::npos);
  EXPECT_NE(model.mobility->notes[0].find("A, B, C would open"), std::string::npos);
}

TEST(Structures, OutOfLineAreOrdinaryOnes) {
  const Model model = model_of(two_bars("1.6"), Coordinates::automatic);
  ASSERT_TRUE(model.mobility);
  EXPECT_EQ(model.mobility->mobility, 0);
  EXPECT_TRUE(model.mobility->notes.empty());
}

TEST(Structures, InASingularConfigurationLeaveTheMotionsOfOtherBodies) {
  const Model model = model_of(two_bars("2.0", R"toml([bodies.pendulum]
mass = 1.0
inertia = 0.1
points = { O = [0.0, 1.0] }
)toml") + "P = { type = \"revolute\", pins = [\"ground.A\", \"pendulum.O\"] }\n",
                               Coordinates::automatic);
  ASSERT_TRUE(model.mobility);
  EXPECT_EQ(model.mobility->mobility, 1);
  ASSERT_EQ(model.mobility->notes.size(), 1U);
  EXPECT_NE(model.mobility->notes[0].find("a part of this"), std::string::npos);
}

// A parallelogram whose bars lie in line is singular too, but two motions go on from there.
TEST(Structures, AreNotWhatMechanismsInSingularConfigurationsAre) {
  const Model model = model_of(R"toml(format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
A = [0.0, 0.0]
D = [2.0, 0.0]
[bodies.crank]
mass = 1.0
inertia = 0.1
points = { A = [0.0, 0.0], B = [1.0, 0.0] }
[bodies.bar]
mass = 1.0
inertia = 0.1
points = { B = [0.0, 0.0], C = [2.0, 0.0] }
[bodies.rocker]
mass = 1.0
inertia = 0.1
points = { D = [0.0, 0.0], C = [1.0, 0.0] }
[joints]
A = { type = "revolute", pins = ["ground.A", "crank.A"] }
B = { type = "revolute", pins = ["crank.B", "bar.B"] }
C = { type = "revolute", pins = ["bar.C", "rocker.C"] }
D = { type = "revolute", pins = ["ground.D", "rocker.D"] }
[start.trust]
"crank.angle" = 0.0
"crank.omega" = 1.0
"bar.omega" = 0.0
)toml",
                               Coordinates::automatic);
  ASSERT_TRUE(model.mobility);
  EXPECT_EQ(model.mobility->mobility, 1);
  EXPECT_EQ(model.mobility->momentary, 1);
  EXPECT_TRUE(model.mobility->notes.empty());
}

TEST(Redundancy, TellsWhichComponentsOfReactionsAreNotUnique) {
  const Model model = model_of(R"toml(format = "raak/1"
space = "spatial"
gravity = [0.0, -9.81, 0.0]
[ground.points]
low = [0.0, 0.0, 0.0]
high = [0.0, 0.0, 2.0]
[bodies.door]
mass = 10.0
inertia = [3.4, 4.2, 0.9]
com = [0.5, 0.0, 1.0]
points = { low = [0.0, 0.0, 0.0], high = [0.0, 0.0, 2.0] }
[joints]
low = { type = "spherical", pins = ["ground.low", "door.low"] }
high = { type = "spherical", pins = ["ground.high", "door.high"] }
)toml",
                               Coordinates::automatic);
  ASSERT_TRUE(model.mobility);
  EXPECT_EQ(model.mobility->sharing, (std::vector<std::string>{"high", "low"}));
  EXPECT_EQ(model.mobility->indeterminate, (std::vector<std::string>{"high.force.z", "low.force.z"}));
}

}  // namespace
}  // namespace raak

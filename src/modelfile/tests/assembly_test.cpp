// What assembly says of mechanisms that cannot be as their file has them, and what it accepts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kinematics/start/open_joints.h"
#include "modelfile/templates.h"
#include "modelfile/tests/test_support.h"
#include "run/integrate.h"

namespace raak {
namespace {

// A four-bar linkage of three bars of 1 m between pins `apart` from each other.
std::string four_bar(const std::string& apart, const std::string& rest = "") {
  return R"toml(format = "raak/1"
[ground.points]
A = [0.0, 0.0]
D = [)toml" +
         apart + R"toml(, 0.0]
[bodies.crank]
mass = 1.0
inertia = 0.1
points = { A = [0.0, 0.0], B = [0.0, 1.0] }
[bodies.coupler]
mass = 1.0
inertia = 0.1
points = { B = [0.0, 0.0], C = [1.0, 0.0] }
[bodies.rocker]
mass = 1.0
inertia = 0.1
points = { D = [0.0, 0.0], C = [0.0, 1.0] }
[joints]
A = { type = "revolute", pins = ["ground.A", "crank.A"] }
B = { type = "revolute", pins = ["crank.B", "coupler.B"] }
C = { type = "revolute", pins = ["coupler.C", "rocker.C"] }
D = { type = "revolute", pins = ["ground.D", "rocker.D"] }
)toml" + rest;
}

std::vector<OpenJoint> open_joints_of(const std::string& text, std::string& message) {
  try {
    consistent_start(model_of(text, Coordinates::automatic));
  } catch (const StartFailure& error) {
    message = error.what();
    return error.open();
  }
  ADD_FAILURE() << "it started";
  return {};
}

// A platform that hangs upside down closes all six legs as well.
TEST(Assembly, StaysNearTheConfigurationThatIsListed) {
  const std::string text = template_text(find_template("stewart"), {});
  for (const Coordinates coordinates :
       {Coordinates::automatic, Coordinates::maximal, Coordinates::element_by_element}) {
    const Model model = model_of(text, coordinates);
    State shown;
    model.system->report(consistent_start(model), shown);
    const std::vector<std::string>& names = model.system->reported().positions;
    const auto z = std::find(names.begin(), names.end(), "platform.position.z") - names.begin();
    EXPECT_NEAR(shown.q[z], 0.9, 1e-12);
  }
}

// All bars lie in one line where nothing is guessed, from where Newton's method alone finds no way out.
TEST(Assembly, ClosesALoopWithoutGuesses) {
  for (const char* apart : {"1.3", "1.9", "2.7"}) {
    SCOPED_TRACE(apart);
    std::string text = four_bar(apart);
    for (const char* upright : {"B = [0.0, 1.0]", "C = [0.0, 1.0]"})
      text.replace(text.find(upright), 14, std::string(1, *upright) + " = [1.0, 0.0]");
    const Model model = model_of(text, Coordinates::automatic);
    const State start = consistent_start(model);
    Vector g(model.system->position_rows());
    model.system->constraint(start.t, start.q, g);
    EXPECT_LT(g.size() == 0 ? 0.0 : g.cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(ImpossibleAssembly, NamesTheJointThatCannotCloseAndByHowManyMetres) {
  std::string message;
  const auto open = open_joints_of(four_bar("5.0"), message);
  ASSERT_EQ(open.size(), 1U) << message;  // three bars span 3 m of 5
  EXPECT_NEAR(open[0].gap, 2.0, 1e-6);
  EXPECT_EQ(open[0].unit, "m");
  EXPECT_NE(message.find("\"" + open[0].name + "\" stays open by 2 m"), std::string::npos) << message;
}

TEST(ImpossibleAssembly, NamesTheTrustedValuesThatAreMissed) {
  std::string message;
  const auto open =
      open_joints_of(four_bar("1.0", "[start.trust]\n\"crank.angle\" = 0.3\n\"rocker.angle\" = 0.5\n"), message);
  ASSERT_FALSE(open.empty()) << message;
  double off = 0.0;
  for (const OpenJoint& value : open) {
    EXPECT_TRUE(value.name == "crank.angle" || value.name == "rocker.angle") << value.name;
    EXPECT_EQ(value.unit, "rad");
    off += value.gap;
  }
  EXPECT_NEAR(off, 0.2, 1e-6);
}

TEST(ImpossibleAssembly, NamesTheDriversWhoseRatesContradictEachOther) {
  std::string message;
  const auto open = open_joints_of(four_bar("1.0", R"toml([drivers]
slow = { coordinate = "crank.angle", motion = "0.3 + 2*t" }
fast = { coordinate = "rocker.angle", motion = "0.3 + 3*t" }
[start.guess]
"crank.angle" = 0.3
"rocker.angle" = 0.3
"coupler.angle" = 0.0
)toml"),
                                   message);
  ASSERT_EQ(open.size(), 1U) << message;
  EXPECT_EQ(open[0].name, "fast");
  EXPECT_NEAR(open[0].gap, 1.0, 1e-5);
  EXPECT_EQ(open[0].unit, "rad/s");
  EXPECT_NE(message.find("\"slow\""), std::string::npos) << message;
  EXPECT_NE(message.find("\"fast\""), std::string::npos) << message;
}

TEST(ImpossibleAssembly, TellsWhereAnEquationWithoutASlopeStands) {
  try {
    model_of(four_bar("1.0", "[constraints]\nstill = { equation = \"crank.angle^2\" }\n"));
    FAIL() << "it started";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::model_file);
    EXPECT_NE(std::string(error.what()).find(":23:"), std::string::npos) << error.what();
  }
}

// A rod of 1 m and 1 kg that swings about one end, with and without inertia about its own axis.
std::string rod(const std::string& inertia, const std::string& joint) {
  return R"toml(format = "raak/1"
space = "spatial"
gravity = [0.0, 0.0, -9.81]
[ground.points]
O = [0.0, 0.0, 0.0]
[bodies.rod]
mass = 1.0
inertia = [)toml" +
         inertia + R"toml(, 0.0833, 0.0833]
com = [0.5, 0.0, 0.0]
points = { O = [0.0, 0.0, 0.0] }
[joints]
hinge = )toml" +
         joint + R"toml(
[start.guess]
"rod.omega" = [0.0, 0.0, 1.5]
)toml";
}

TEST(ThinRods, MoveAsRodsOfAnyThicknessWhereNothingTurnsThem) {
  const std::string joint = R"({ type = "spherical", pins = ["ground.O", "rod.O"] })";
  State ends[2];
  for (const int thin : {0, 1}) {
    const Model model = model_of(rod(thin ? "0.0" : "0.001", joint));
    Plan plan;
    plan.until = 2.0;
    plan.tolerances = Tolerances::uniform(1e-10, 1e-10);
    const Result result = integrate(*model.system, consistent_start(model), plan);
    ASSERT_EQ(result.termination, Termination::ok) << result.message;
    model.system->report(result.end, ends[thin]);
  }
  // The end of the rod; what it turns about itself is not determined.
  const auto tip = [](const State& s) {
    return Vector{{1.0 - 2.0 * (s.q[5] * s.q[5] + s.q[6] * s.q[6]), 2.0 * (s.q[4] * s.q[5] + s.q[3] * s.q[6]),
                   2.0 * (s.q[4] * s.q[6] - s.q[3] * s.q[5])}};
  };
  EXPECT_LE((tip(ends[0]) - tip(ends[1])).norm(), 1e-8);
}

TEST(ThinRods, AreRefusedWithTheJointThatTurnsThem) {
  try {
    model_of(rod("0.0", R"({ type = "revolute", pins = ["ground.O", "rod.O"], axes = ["ground.y", "rod.y"] })"));
    FAIL() << "it was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::model_file);
    EXPECT_NE(std::string(error.what()).find("\"hinge\" may turn it"), std::string::npos) << error.what();
  }
}

TEST(Outputs, OfThePlaneHaveNoThirdComponent) {
  for (const char* output : {"A.force.z", "crank.z", "crank.B.z"}) {
    try {
      const Model model = model_of(four_bar("1.0", "[outputs]\nx = \"" + std::string(output) + "\"\n"));
      Vector values(1);
      model.system->evaluate_outputs(consistent_start(model), values);
      FAIL() << output << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::model_file) << error.what();
    }
  }
}

TEST(Events, WithoutAValueAreTold) {
  const Model model = model_of(four_bar("1.0", "[start.trust]\n\"crank.omega\" = 1.0\n\"coupler.omega\" = 0.0\n"));
  Plan plan;
  plan.until = 0.5;
  plan.events.push_back(
      {"root", [](const State& s) { return std::sqrt(0.25 - s.t); }, Event::Direction::any, Event::Action::record});
  const Result result = integrate(*model.system, consistent_start(model), plan);
  ASSERT_EQ(result.warnings().size(), 1U);
  EXPECT_NE(result.warnings()[0].find("event \"root\" has no value"), std::string::npos) << result.warnings()[0];
}

// Of what moves and has no size, lengths are measured in metres; one length anywhere is the measure.
TEST(Assembly, MeasuresLengthsByTheMechanism) {
  const std::string point = "format = \"raak/1\"\n[bodies.p]\ntype = \"point\"\nmass = 2.0\n";
  EXPECT_EQ(model_of(point).system->coordinate_scales(), Vector::Ones(2));
  EXPECT_EQ(model_of(point + "[ground.points]\nA = [0.0, 0.0]\nB = [3.0, 4.0]\n").system->coordinate_scales(),
            Vector::Constant(2, 5.0));
}

}  // namespace
}  // namespace raak

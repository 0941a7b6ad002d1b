// Loops of many bodies close without a guess: parts that share no joint one by one, long chains along arcs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kinematics/start/open_joints.h"
#include "mechanism/bodies/parts.h"
#include "modelfile/tests/test_support.h"

namespace raak {
namespace {

std::string rod(const std::string& name, double length) {
  return fmt::format("[bodies.{}]\nmass = 1.0\ninertia = 0.1\npoints = {{ A = [0.0, 0.0], B = [{}, 0.0] }}\n", name,
                     length);
}

std::string pin(const std::string& name, const std::string& one, const std::string& other) {
  return fmt::format("{} = {{ type = \"revolute\", pins = [\"{}\", \"{}\"] }}\n", name, one, other);
}

// Linkages side by side; the rocker of the last one may be too long to close.
std::string four_bars(int count, double last_rocker = 1.5) {
  std::string points = "format = \"raak/1\"\ngravity = [0.0, -9.81]\n[ground.points]\n";
  std::string bodies;
  std::string joints = "[joints]\n";
  for (int i = 0; i < count; ++i) {
    points += fmt::format("O{} = [{}, 0.0]\nP{} = [{}, 0.0]\n", i, 4.0 * i, i, 4.0 * i + 2.0);
    bodies += rod(fmt::format("crank{}", i), 0.5) + rod(fmt::format("coupler{}", i), 2.0) +
              rod(fmt::format("rocker{}", i), i + 1 < count ? 1.5 : last_rocker);
    joints += pin(fmt::format("a{}", i), fmt::format("ground.O{}", i), fmt::format("crank{}.A", i)) +
              pin(fmt::format("b{}", i), fmt::format("crank{}.B", i), fmt::format("coupler{}.A", i)) +
              pin(fmt::format("c{}", i), fmt::format("coupler{}.B", i), fmt::format("rocker{}.B", i)) +
              pin(fmt::format("d{}", i), fmt::format("rocker{}.A", i), fmt::format("ground.P{}", i));
  }
  return points + bodies + joints;
}

// A chain of rods of 1 m between two pins.
std::string hanging_chain(int count, double span) {
  std::string bodies = fmt::format(
      "format = \"raak/1\"\ngravity = [0.0, -9.81]\n[ground.points]\nO = [0.0, 0.0]\nP = [{}, 0.0]\n", span);
  std::string joints = "[joints]\n";
  std::string last = "ground.O";
  for (int i = 0; i < count; ++i) {
    bodies += rod(fmt::format("rod{}", i), 1.0);
    joints += pin(fmt::format("pin{}", i), last, fmt::format("rod{}.A", i));
    last = fmt::format("rod{}.B", i);
  }
  return bodies + joints + pin("end", last, "ground.P");
}

double widest_gap(const Model& model) {
  const State start = consistent_start(model);
  Vector g(model.system->position_rows());
  model.system->constraint(start.t, start.q, g);
  return g.cwiseAbs().maxCoeff();
}

TEST(ManyLoops, CloseOneByOneWithoutAGuess) {
  const Model model = model_of(four_bars(70), Coordinates::automatic);
  ASSERT_FALSE(model.system->has_dense_matrices());
  ASSERT_NE(model.mobility, nullptr);
  EXPECT_EQ(model.mobility->mobility, 70);
  EXPECT_LT(widest_gap(model), 1e-10);
}

TEST(ManyLoops, ThatCannotCloseAreToldWithTheOneThatStaysOpen) {
  const Model model = model_of(four_bars(70, 5.0), Coordinates::automatic);
  try {
    consistent_start(model);
    FAIL() << "crank and coupler do not reach the end of a rocker of 5 m";
  } catch (const StartFailure& error) {
    ASSERT_FALSE(error.open().empty());
    for (const OpenJoint& open : error.open()) EXPECT_TRUE(open.name.ends_with("69")) << open.name;
  }
}

TEST(ALongChain, ClosesBetweenPinsOfAnySpan) {
  for (const double span : {0.0, 3.0, 180.0, 290.0}) {
    SCOPED_TRACE(span);
    EXPECT_LT(widest_gap(model_of(hanging_chain(300, span), Coordinates::automatic)), 1e-8);
  }
}

TEST(Parts, AreBodiesThatShareAJointADriverOrAnEquation) {
  const std::string text = four_bars(3) +
                           "[drivers]\nmotor = { coordinate = \"crank0.angle - crank2.angle\", motion = \"t\" }\n" +
                           "[bodies.loose]\nmass = 1.0\ninertia = 1.0\n";
  const ScratchModel file(text);
  const auto mechanism = std::make_shared<const Mechanism>(read_mechanism(read_document(file.path()), file.path()));
  const Instance instance(mechanism, declared_parameters(*mechanism));
  const std::vector<Part> parts = independent_parts(instance);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].bodies.size(), 6U);
  EXPECT_EQ(parts[0].joints.size(), 8U);
  EXPECT_EQ(parts[0].drivers.size(), 1U);
  EXPECT_EQ(parts[1].bodies.size(), 3U);
  EXPECT_EQ(parts[2].joints.size(), 0U);
}

// Few rows, three of which repeat others, in more coordinates than there are dense matrices for.
TEST(ManyBodies, WithFewRedundantRowsAreAssembled) {
  constexpr int free_bodies = 84;
  std::string text = R"(format = "raak/1"
space = "spatial"
gravity = [0.0, 0.0, -9.81]
[ground.points]
o = [0.0, 0.0, 0.0]
p = [1.0, 0.0, 0.0]
[ground.axes]
n = [0.0, 1.0, 0.0]
[joints]
j1 = { type = "revolute", pins = ["ground.o", "u.a"], axes = ["ground.n", "u.n"] }
j2 = { type = "revolute", pins = ["u.b", "v.a"], axes = ["u.n", "v.n"] }
j3 = { type = "revolute", pins = ["v.c", "w.b"], axes = ["v.n", "w.n"] }
j4 = { type = "revolute", pins = ["ground.p", "w.a"], axes = ["ground.n", "w.n"] }
[start.trust]
"u.omega" = [0.0, 0.1, 0.0]
[start.guess]
"v.position" = [0.0, 0.0, 1.0]
"w.position" = [1.0, 0.0, 0.0]
)";
  for (int i = 0; i < free_bodies; ++i) text += fmt::format("\"z{}.position\" = [{}.0, 5.0, 0.0]\n", i, 3 * i);
  const auto add = [&](const std::string& name) {
    text += fmt::format(
        "[bodies.{}]\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\naxes = {{ n = [0.0, 1.0, 0.0] }}\n"
        "points = {{ a = [0.0, 0.0, 0.0], b = [0.0, 0.0, 1.0], c = [1.0, 0.0, 0.0] }}\n",
        name);
  };
  for (const char* name : {"u", "v", "w"}) add(name);
  for (int i = 0; i < free_bodies; ++i) add(fmt::format("z{}", i));
  const Model model = model_of(text, Coordinates::automatic);
  EXPECT_EQ(model.mobility->rows - model.mobility->rank, 3);
  EXPECT_NO_THROW(consistent_start(model));
}

}  // namespace
}  // namespace raak

// Joint coordinates in space against those of the bodies: on every example and on every kind of joint, at states far
// from the start, the same motion has the same accelerations, reactions, energies and outputs.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <random>

#include "mechanism/bodies/placement.h"
#include "modelfile/tests/test_support.h"
#include "run/integrate.h"
#include "system/recorded/recorded_system.h"
#include "system/turn_gauge.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

const fs::path examples = fs::path(RAAK_SOURCES) / "examples";

struct Case {
  std::string name, text;  // without a text: the example of that name
};

std::string body(const std::string& name) {
  return "[bodies." + name +
         "]\nmass = 1.3\ninertia = [0.5, 0.7, 0.4, 0.05, -0.03, 0.02]\ncom = [0.2, -0.1, 0.15]\n"
         "points = { A = [0.3, 0.1, -0.2], B = [-0.4, 0.25, 0.1] }\naxes = { a = [1.0, 2.0, -0.5], b = [0.3, -0.2, "
         "1.0] "
         "}\n";
}

// Three bodies in a row by joints of one kind, on the ground, with loads of every kind.
std::string row_of(const std::string& joint, const std::string& more = "") {
  std::string text =
      "format = \"raak/1\"\nspace = \"spatial\"\ngravity = [0.4, -0.8, -9.7]\n[ground.points]\nO = [0.2, "
      "-0.3, 1.0]\n[ground.axes]\na = [0.2, -1.0, 0.7]\n";
  for (const char* name : {"one", "two", "three"}) text += body(name);
  text += "[joints]\n";
  const bool has_axes = joint != "spherical" && joint != "fixed";
  const char* const on[] = {"ground.O", "one.B", "two.B"};
  const char* const by[] = {"one.A", "two.A", "three.A"};
  const char* const on_axis[] = {"ground.a", "one.b", "two.b"};
  for (int i = 0; i < 3; ++i) {
    const bool swapped = i == 1;  // the body that hangs on the other is the first one named
    text += fmt::format("j{} = {{ type = \"{}\", pins = [\"{}\", \"{}\"]", i, joint, swapped ? by[i] : on[i],
                        swapped ? on[i] : by[i]);
    const std::string axis = std::string(by[i]).substr(0, std::string(by[i]).find('.')) + ".a";
    if (has_axes)
      text += fmt::format(", axes = [\"{}\", \"{}\"]", swapped ? axis : on_axis[i], swapped ? on_axis[i] : axis);
    text += more + " }\n";
  }
  return text +
         "[forces]\nline = { type = \"spring\", between = [\"ground.O\", \"three.B\"], stiffness = 4.0, length = 0.5, "
         "damping = 0.3 }\npush = { type = \"force\", at = \"two.B\", value = [\"1.0+t\", "
         "\"-0.5*two.omega.x\", 0.3] }\nmotor = { type = \"torque\", on = \"three\", value = [0.3, \"0.2*cos(t)\", "
         "0.1] "
         "}\n[outputs]\npull = \"j1.force.x\"\ntwist = \"j0.moment.y\"\n";
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* folder : {"", "validation"})
    for (const auto& entry : fs::directory_iterator(examples / folder)) {
      if (entry.path().extension() != ".toml") continue;
      std::ifstream file(entry.path());
      const std::string text((std::istreambuf_iterator<char>(file)), {});
      if (text.find("spatial") != std::string::npos)
        all.push_back({(fs::path(folder) / entry.path().stem()).string(), ""});
    }
  std::sort(all.begin(), all.end(), [](const Case& a, const Case& b) { return a.name < b.name; });
  for (const char* joint : {"revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "fixed"})
    all.push_back({std::string("row/") + joint, row_of(joint)});
  all.push_back({"row/screw", row_of("screw", ", pitch = 0.7")});
  all.push_back({"row/fine_screw", row_of("screw", ", pitch = 0.0")});
  return all;
}

std::shared_ptr<const Instance> instance_in(const Case& of) {
  if (!of.text.empty()) {
    const ScratchModel file(of.text);
    const auto mechanism = std::make_shared<const Mechanism>(read_mechanism(read_document(file.path()), file.path()));
    return std::make_shared<const Instance>(mechanism, declared_parameters(*mechanism));
  }
  const fs::path path = examples / (of.name + ".toml");
  const auto mechanism = std::make_shared<const Mechanism>(read_mechanism(read_document(path.string()), path.string()));
  return std::make_shared<const Instance>(mechanism, declared_parameters(*mechanism));
}

Model model_in(const Case& of, Coordinates coordinates) {
  return assemble(instance_in(of), coordinates);
}

Vector disturbed(const Vector& x, double by, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> value(-by, by);
  Vector result = x;
  for (double& entry : result) entry += value(random);
  return result;
}

void expect_same(const Vector& a, const Vector& b, double within, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  const double size = 1.0 + (b.size() > 0 ? b.array().isNaN().select(0.0, b.array()).abs().maxCoeff() : 0.0);
  for (Eigen::Index i = 0; i < a.size(); ++i)
    EXPECT_TRUE((std::isnan(a[i]) && std::isnan(b[i])) || std::abs(a[i] - b[i]) <= within * size)
        << what << " " << i << ": " << a[i] << " and " << b[i];
}

class JointTrees : public testing::TestWithParam<Case> {};

TEST_P(JointTrees, MoveAsTheirBodiesDo) {
  const Model tree = model_in(GetParam(), Coordinates::tree), maximal = model_in(GetParam(), Coordinates::maximal);
  const ConstrainedSystem &A = *tree.system, &B = *maximal.system;
  if (A.coordinates() == B.coordinates()) GTEST_SKIP() << "in coordinates of the bodies";
  const auto instance = instance_in(GetParam());
  const State start = consistent_start(tree);
  for (unsigned seed = 0; seed < 4; ++seed) {
    State x = start;
    x.t = 0.1 * seed;
    x.q = disturbed(start.q, 0.1 * seed, seed);
    x.v = disturbed(start.v, 0.5 * seed, seed + 10);
    x.v.tail(A.coordinates() - coordinates_without_centres(A)).setZero();
    bool on_rows = A.rows() == 0;
    for (int i = 0; i < 30 && !on_rows; ++i) on_rows = A.correct_position(x.t, x.q.data()) < 1e-13;
    for (int i = 0; i < 3 && A.rows() > 0; ++i) A.correct_velocity(x.t, x.q.data(), x.v.data());
    if (!on_rows) continue;
    State shown, expected;
    const double pivot = update_accelerations(A, x);
    A.report(x, shown);
    State y = State::of_size(B.coordinates(), B.rows());
    const State inner = inner_state(*instance, x.t, shown.q, shown.v);
    y.t = x.t;
    y.q = inner.q;
    y.v = inner.v;
    const double other = update_accelerations(B, y);
    if (!(std::min(pivot, other) > 1e-6)) continue;  // a singular configuration magnifies rounding without limit
    B.report(y, expected);
    expect_same(shown.q, expected.q, 1e-12, "q");
    expect_same(shown.v, expected.v, 1e-12, "v");
    expect_same(shown.a, expected.a, 1e-8, "a");
    expect_same(shown.lambda, expected.lambda, 1e-8, "lambda");
    Vector g(B.position_rows()), c(B.rows());
    B.constraint(y.t, y.q, g);
    B.velocity_constraint(y.t, y.q, y.v, c);
    EXPECT_LE(g.size() > 0 ? g.norm() : 0.0, 1e-11);
    EXPECT_LE(c.size() > 0 ? c.norm() : 0.0, 1e-10 * (1.0 + y.v.norm()));
    const Energy one = A.energy(x.t, x.q, x.v), two = B.energy(y.t, y.q, y.v);
    EXPECT_NEAR(one.kinetic, two.kinetic, 1e-11 * (1.0 + two.kinetic));
    EXPECT_NEAR(one.potential, two.potential, 1e-11 * (1.0 + std::abs(two.potential)));
    EXPECT_NEAR(A.input_power(x), B.input_power(y), 1e-7 * (1.0 + std::abs(B.input_power(y))));
    Vector of_a(A.outputs()), of_b(B.outputs());
    A.evaluate_outputs(x, of_a);
    B.evaluate_outputs(y, of_b);
    expect_same(of_a, of_b, 1e-8, "outputs");
  }
}

// Slopes and rates of the rows come from twists; here they are compared with differences of the rows themselves.
TEST_P(JointTrees, HaveTheSlopesOfTheirRows) {
  const Model tree = model_in(GetParam(), Coordinates::tree);
  const ConstrainedSystem& A = *tree.system;
  State x = consistent_start(tree);
  x.q = disturbed(x.q, 1e-2, 1);
  x.v = disturbed(x.v, 0.3, 2);
  const int n = A.coordinates(), m = A.rows(), p = A.position_rows();
  if (m == 0) GTEST_SKIP() << "no loops";
  Matrix G(m, n);
  A.jacobian(x.t, x.q, G);
  constexpr double h = 1e-6;
  for (int j = 0; j < n; ++j) {
    Vector ahead = x.q, behind = x.q, g(p), k(p);
    ahead[j] += h;
    behind[j] -= h;
    A.constraint(x.t, ahead, g);
    A.constraint(x.t, behind, k);
    const Vector slope = (g - k) / (2.0 * h);
    EXPECT_LE(p > 0 ? (slope - G.col(j).head(p)).cwiseAbs().maxCoeff() : 0.0, 1e-7 * (1.0 + G.cwiseAbs().maxCoeff()));
  }
  Vector c(m), d(m), bias(m);
  A.acceleration_bias(x.t, x.q, x.v, bias);
  A.velocity_constraint(x.t + h, x.q + h * x.v, x.v, c);
  A.velocity_constraint(x.t - h, x.q - h * x.v, x.v, d);
  expect_same(bias, Vector((d - c) / (2.0 * h)), 1e-6, "bias");
}

Result run_until(const Model& model, double until, double tolerance) {
  Plan plan;
  plan.until = until;
  plan.tolerances = Tolerances::uniform(tolerance, tolerance);
  return integrate(*model.system, consistent_start(model), plan);
}

std::string hinged(const std::string& bodies, const std::string& joints) {
  return "format = \"raak/1\"\nspace = \"spatial\"\ngravity = [0.0, 0.0, -9.81]\n[ground.points]\nO = [0.0, 0.0, "
         "0.0]\n" +
         bodies + "[joints]\n" + joints;
}

double cost_of(const Model& model) {
  const State start = consistent_start(model);
  return dynamic_cast<const RecordedSystem&>(*model.system).acceleration_cost(start.t, start.q);
}

TEST(JointTree, AWeldedBodyCostsNothing) {
  const std::string hinge =
      "j = { type = \"revolute\", pins = [\"ground.O\", \"one.A\"], axes = [\"ground.x\", \"one.x\"] }\n";
  const std::string weld = "w = { type = \"fixed\", pins = [\"one.B\", \"two.A\"] }\n";
  const Model alone = model_of(hinged(body("one"), hinge), Coordinates::tree);
  const Model welded = model_of(hinged(body("one") + body("two"), hinge + weld), Coordinates::tree);
  EXPECT_EQ(welded.system->coordinates(), 1);
  EXPECT_EQ(cost_of(welded), cost_of(alone));
}

TEST(JointTree, ABallKeepsItsDigitsOverAThousandTurns) {
  const std::string text =
      hinged("[bodies.b]\nmass = 1.0\ninertia = [0.5, 0.5, 0.4]\npoints = { C = [0.0, 0.0, 0.0] }\n",
             "j = { type = \"spherical\", pins = [\"ground.O\", \"b.C\"] }\n[start.trust]\n\"b.rotation\" = [0.0, 0.0, "
             "0.0]\n\"b.omega\" = [0.0, 0.0, \"200*pi\"]\n");
  const Model model = model_of(text, Coordinates::tree);
  ASSERT_EQ(model.system->coordinates(), 4);
  const State shown = shown_at_end(model, run_until(model, 10.0, 1e-11));
  EXPECT_NEAR(shown.q.tail(4).norm(), 1.0, 1e-14);
  EXPECT_NEAR(std::abs(shown.q[3]), 1.0, 1e-12);
  EXPECT_NEAR(shown.q[6], 0.0, 1e-7);
  EXPECT_NEAR(shown.v[5], 200.0 * std::numbers::pi, 1e-7);
}

// Both axes of a cross stay perpendicular: its own coordinates are never singular, however far it bends.
TEST(JointTree, ACrossBendsPastARightAngle) {
  const std::string text =
      hinged(body("one"),
             "j = { type = \"universal\", pins = [\"ground.O\", \"one.A\"], axes = [\"ground.x\", "
             "\"one.y\"] }\n[start.trust]\n\"one.rotation\" = [0.0, 0.0, 0.0]\n\"one.omega\" = [0.3, "
             "7.0, 0.0]\n");
  const Model tree = model_of(text, Coordinates::tree), maximal = model_of(text, Coordinates::maximal);
  ASSERT_EQ(tree.system->coordinates(), 2);
  expect_same(shown_at_end(tree, run_until(tree, 2.0, 1e-11)).q,
              shown_at_end(maximal, run_until(maximal, 2.0, 1e-11)).q, 1e-8, "q");
}

TEST(JointTree, ALoopOfNoLengthMovesAsOneHinge) {
  const auto joints = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += fmt::format(
          "j{} = {{ type = \"revolute\", pins = [\"ground.O\", \"one.A\"], axes = [\"ground.x\", \"one.x\"] }}\n", i);
    return text;
  };
  const Model once = model_of(hinged(body("one"), joints(1)), Coordinates::tree);
  const Model twice = model_of(hinged(body("one"), joints(2)), Coordinates::tree);
  State a, b;
  once.system->report(consistent_start(once), a);
  twice.system->report(consistent_start(twice), b);
  expect_same(a.a, b.a, 1e-12, "a");
}

TEST(JointTree, ABodyWithoutInertiaAboutItsHingeIsNamed) {
  const std::string text =
      hinged("[bodies.b]\nmass = 1.0\ninertia = [0.0, 0.1, 0.1]\npoints = { C = [0.0, 0.0, 0.0] }\n",
             "spin = { type = \"revolute\", pins = [\"ground.O\", \"b.C\"], axes = [\"ground.x\", \"b.x\"] }\n");
  try {
    const State start = consistent_start(model_of(text, Coordinates::tree));
    FAIL() << start.a.transpose();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("spin"), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(All, JointTrees, testing::ValuesIn(cases()), [](const auto& of) {
  std::string text = of.param.name;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return text;
});

}  // namespace
}  // namespace raak

// Accelerations of trees of many bodies by a recursion over them, against the same mechanism in the coordinates of its
// bodies and against the recorded matrices of the tree.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "mechanism/bodies/placement.h"
#include "modelfile/tests/test_support.h"
#include "system/recorded/recorded_system.h"

namespace raak {
namespace {

// Joints of all kinds on a tree with branches, some of them named the other way round; the seventh body flies.
std::string crowd(int count, const std::string& loads, const char* fifth = "screw") {
  const char* const kinds[] = {"revolute", "spherical", "prismatic", "universal",  fifth,
                               "planar",   "revolute",  "fixed",     "cylindrical"};
  std::string bodies, joints;
  for (int i = 0; i < count; ++i) {
    bodies += fmt::format(
        "[bodies.b{}]\nmass = {}\ninertia = [0.5, 0.7, 0.4, 0.05, -0.03, 0.02]\ncom = [0.2, -0.1, 0.15]\n"
        "points = {{ A = [0.3, 0.1, -0.2], B = [-0.4, 0.25, 0.1] }}\n"
        "axes = {{ a = [{}, 2.0, -0.5], b = [0.3, {}, 1.0] }}\n",
        i, i == 3 ? "\"heavy\"" : "1.3", i % 3 == 0 ? "0.0" : "1.0", i % 2 == 0 ? "0.0" : "-0.2");
    if (i == 6) continue;
    const std::string kind = kinds[i % 9];
    const std::string on = i == 0 ? "ground" : fmt::format("b{}", i % 4 == 0 ? (i - 1) / 2 : i - 1);
    const std::string here = fmt::format("b{}", i);
    const bool swapped = i % 5 == 2;
    const auto pair = [&](const std::string& one, const std::string& two) {
      return swapped ? fmt::format("[\"{}\", \"{}\"]", two, one) : fmt::format("[\"{}\", \"{}\"]", one, two);
    };
    joints += fmt::format("j{} = {{ type = \"{}\", pins = {}", i, kind, pair(on + ".B", here + ".A"));
    if (kind != "spherical" && kind != "fixed") {
      const std::string other = i % 6 == 1 ? ".y" : ".b";
      joints += ", axes = " + pair(on == "ground" ? "ground.a" : on + other, here + ".a");
    }
    if (kind == "screw") joints += ", pitch = 0.7";
    joints += " }\n";
  }
  return "format = \"raak/1\"\nspace = \"spatial\"\ngravity = [0.4, -0.8, -9.7]\n[parameters]\nheavy = 2.0\n"
         "[ground.points]\nB = [0.2, -0.3, 1.0]\n[ground.axes]\na = [0.2, -1.0, 0.7]\n" +
         bodies + "[joints]\n" + joints + loads + "[outputs]\npull = \"j1.force.x\"\ntwist = \"j0.moment.y\"\n";
}
const std::string loads =
    "[forces]\nline = { type = \"spring\", between = [\"ground.B\", \"b9.B\"], stiffness = 4.0, length = 0.5, damping "
    "= "
    "0.3 }\npush = { type = \"force\", at = \"b5.B\", value = [\"1.0+t\", \"-0.5*b5.omega.x\", 0.3] }\nmotor = { type "
    "= "
    "\"torque\", on = \"b11\", value = [0.3, \"0.2*cos(t)\", 0.1] }\n";

Vector disturbed(const Vector& x, double by, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> value(-by, by);
  Vector result = x;
  for (double& entry : result) entry += value(random);
  return result;
}

void expect_same(const Vector& a, const Vector& b, double within, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), within * (1.0 + b.cwiseAbs().maxCoeff())) << what;
}

std::shared_ptr<const Instance> instance_of(const std::string& text) {
  const ScratchModel file(text);
  const auto mechanism = std::make_shared<const Mechanism>(read_mechanism(read_document(file.path()), file.path()));
  return std::make_shared<const Instance>(mechanism, declared_parameters(*mechanism));
}

State state_near(const ConstrainedSystem& system, const State& start, unsigned seed) {
  State x = start;
  x.t = 0.1 * seed;
  x.q = disturbed(start.q, 0.4, seed);
  x.v = disturbed(start.v, 0.8, seed + 10);
  for (int i = 0; i < 6; ++i) system.correct_position(x.t, x.q.data());
  system.correct_velocity(x.t, x.q.data(), x.v.data());
  return x;
}

Result run_until(const Model& model, double until, double tolerance) {
  Plan plan;
  plan.until = until;
  plan.tolerances = Tolerances::uniform(tolerance, tolerance);
  return integrate(*model.system, consistent_start(model), plan);
}

class TreeRecursions : public testing::TestWithParam<bool> {};

TEST_P(TreeRecursions, MoveAsTheirBodiesDo) {
  const auto instance = instance_of(crowd(16, GetParam() ? loads : ""));
  const Model tree = assemble(instance, Coordinates::tree), maximal = assemble(instance, Coordinates::maximal);
  const ConstrainedSystem &A = *tree.system, &B = *maximal.system;
  ASSERT_EQ(dynamic_cast<const RecordedSystem*>(&A), nullptr) << "recorded as a whole";
  ASSERT_LT(A.coordinates(), B.coordinates());
  const State start = consistent_start(tree);
  for (unsigned seed = 0; seed < 4; ++seed) {
    State x = state_near(A, start, seed);
    Vector g(A.position_rows());
    A.constraint(x.t, x.q, g);
    EXPECT_LE(g.norm(), 1e-13);
    update_accelerations(A, x);
    State shown, expected, y = State::of_size(B.coordinates(), B.rows());
    A.report(x, shown);
    const State inner = inner_state(*instance, x.t, shown.q, shown.v);
    y.t = x.t;
    y.q = inner.q;
    y.v = inner.v;
    update_accelerations(B, y);
    B.report(y, expected);
    expect_same(shown.v, expected.v, 1e-12, "v");
    expect_same(shown.a, expected.a, 1e-10, "a");
    expect_same(shown.lambda, expected.lambda, 1e-9, "lambda");
    const Energy one = A.energy(x.t, x.q, x.v), two = B.energy(y.t, y.q, y.v);
    EXPECT_NEAR(one.kinetic, two.kinetic, 1e-11 * (1.0 + two.kinetic));
    EXPECT_NEAR(one.potential, two.potential, 1e-11 * (1.0 + std::abs(two.potential)));
    EXPECT_NEAR(A.input_power(x), B.input_power(y), 1e-9 * (1.0 + std::abs(B.input_power(y))));
    Vector of_a(A.outputs()), of_b(B.outputs());
    A.evaluate_outputs(x, of_a);
    B.evaluate_outputs(y, of_b);
    expect_same(of_a, of_b, 1e-9, "outputs");
  }
}

TEST_P(TreeRecursions, SatisfyTheEquationsOfTheTree) {
  const Model tree = model_of(crowd(16, GetParam() ? loads : ""), Coordinates::tree);
  const ConstrainedSystem& A = *tree.system;
  State x = state_near(A, consistent_start(tree), 3);
  x.q *= 1.1;  // quaternions of other lengths too
  update_accelerations(A, x);
  const int n = A.coordinates();
  Matrix M(n, n), G(A.rows(), n);
  Vector f(n), bias(A.rows()), diagonal(n);
  A.mass(x.t, x.q, M);
  A.force(x.t, x.q, x.v, f);
  A.jacobian(x.t, x.q, G);
  A.acceleration_bias(x.t, x.q, x.v, bias);
  expect_same(M * x.a + G.transpose() * x.lambda, f, 1e-11, "balance");
  expect_same(G * x.a, bias, 1e-12, "rows");
  A.mass_diagonal(x.t, x.q, diagonal);
  expect_same(diagonal, M.diagonal(), 1e-13, "diagonal");
}

TEST_P(TreeRecursions, LanesAreStatesOfTheirOwn) {
  const Model tree = model_of(crowd(16, GetParam() ? loads : ""), Coordinates::tree);
  const ConstrainedSystem& A = *tree.system;
  const auto n = static_cast<std::size_t>(A.coordinates()), m = static_cast<std::size_t>(A.rows());
  std::vector<Pack> q(n), v(n), a(n), lambda(m), t(1), pivot(1);
  std::vector<State> states;
  for (int k = 0; k < lanes; ++k) {
    State& x = states.emplace_back(state_near(A, consistent_start(tree), static_cast<unsigned>(k)));
    update_accelerations(A, x);
    t[0].x[k] = x.t;
    for (std::size_t i = 0; i < n; ++i) {
      q[i].x[k] = x.q[static_cast<Eigen::Index>(i)];
      v[i].x[k] = x.v[static_cast<Eigen::Index>(i)];
    }
  }
  const auto numbers = [](std::vector<Pack>& packs) { return reinterpret_cast<double*>(packs.data()); };
  A.accelerate_lanes(numbers(t), numbers(q), numbers(v), numbers(a), numbers(lambda), numbers(pivot));
  for (int k = 0; k < lanes; ++k) {
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_EQ(a[i][k], states[static_cast<std::size_t>(k)].a[static_cast<Eigen::Index>(i)]);
    for (std::size_t i = 0; i < m; ++i)
      EXPECT_EQ(lambda[i][k], states[static_cast<std::size_t>(k)].lambda[static_cast<Eigen::Index>(i)]);
  }
}

TEST(TreeRecursion, FollowsItsParameters) {
  for (const Coordinates coordinates : {Coordinates::tree, Coordinates::automatic}) {
    std::string text = crowd(16, loads, "cylindrical");  // a thread would be assembled anew
    Model model = model_of(text, coordinates);
    const double before = consistent_start(model).a[0];
    ASSERT_NE(model.live, nullptr);
    ASSERT_TRUE(model.live->set(model, {{"heavy", 3.0}}));
    text.replace(text.find("heavy = 2.0"), 11, "heavy = 3.0");
    const Model anew = model_of(text, coordinates);
    const State now = consistent_start(model);
    State expected = now;  // where the search of a start weighs bodies, another one is found
    update_accelerations(*anew.system, expected);
    EXPECT_NE(now.a[0], before);
    expect_same(now.a, expected.a, 1e-13, "a");
  }
}

// With matrices of numbers instead of recorded ones.
TEST(TreeRecursion, HasTheMatricesOfManyBodies) {
  // Of a thread the start decides where it begins, and starts may differ where bodies are free to choose.
  const std::string text = crowd(33, loads, "cylindrical");
  const Model large = model_of(text, Coordinates::automatic), recorded = model_of(text, Coordinates::tree);
  const ConstrainedSystem &A = *large.system, &B = *recorded.system;
  const int n = A.coordinates(), m = A.rows();
  ASSERT_EQ(n, B.coordinates());
  State x = state_near(A, consistent_start(large), 2);
  update_accelerations(A, x);
  Matrix M(n, n), N(n, n), more(n, n), other(n, n);
  Vector f(n), g(n), bias(m), same(m);
  A.mass(x.t, x.q, M);
  B.mass(x.t, x.q, N);
  EXPECT_LE((M - N).cwiseAbs().maxCoeff(), 1e-12 * N.cwiseAbs().maxCoeff());
  A.force(x.t, x.q, x.v, f);
  B.force(x.t, x.q, x.v, g);
  expect_same(f, g, 1e-12, "force");
  A.inertia_stiffness(x, M);
  B.inertia_stiffness(x, N);
  EXPECT_LE((M - N).cwiseAbs().maxCoeff(), 1e-8 * N.cwiseAbs().maxCoeff());
  A.force_derivatives(x.t, x.q, x.v, M, more);
  B.force_derivatives(x.t, x.q, x.v, N, other);
  EXPECT_LE((M - N).cwiseAbs().maxCoeff(), 1e-8 * N.cwiseAbs().maxCoeff());
  EXPECT_LE((more - other).cwiseAbs().maxCoeff(), 1e-8 * other.cwiseAbs().maxCoeff());
  Matrix G(m, n), H(m, n);
  A.jacobian(x.t, x.q, G);
  B.jacobian(x.t, x.q, H);
  EXPECT_LE((G - H).cwiseAbs().maxCoeff(), 1e-15);
  A.acceleration_bias(x.t, x.q, x.v, bias);
  B.acceleration_bias(x.t, x.q, x.v, same);
  expect_same(bias, same, 1e-14, "bias");
}

TEST(TreeRecursion, MovesMechanismsOfManyBodies) {
  const std::string text = crowd(45, loads);
  const Model tree = model_of(text, Coordinates::automatic), maximal = model_of(text, Coordinates::element_by_element);
  ASSERT_LT(tree.system->coordinates(), maximal.system->coordinates() / 2);
  const State a = shown_at_end(tree, run_until(tree, 0.1, 1e-10));
  const State b = shown_at_end(maximal, run_until(maximal, 0.1, 1e-10));
  expect_same(a.q, b.q, 1e-8, "q");
  expect_same(a.lambda, b.lambda, 1e-6, "lambda");
}

// Thirteen rods on hinges, and a last body by a joint of its own.
std::string rods_and(const std::string& body, const std::string& joints, double gravity, const std::string& more = "") {
  std::string bodies, hinges;
  for (int i = 0; i < 13; ++i) {
    bodies += fmt::format(
        "[bodies.r{}]\nmass = 1.0\ninertia = [0.01, 0.08, 0.09]\ncom = [0.5, 0.0, 0.0]\npoints = {{ A = [0.0, 0.0, "
        "0.0], B = [1.0, 0.0, 0.0] }}\n",
        i);
    hinges += fmt::format(
        "h{0} = {{ type = \"revolute\", pins = [\"{1}.B\", \"r{0}.A\"], axes = [\"{1}.{2}\", "
        "\"r{0}.{2}\"] }}\n",
        i, i == 0 ? "ground" : fmt::format("r{}", i - 1), i % 2 == 0 ? "y" : "z");
  }
  return fmt::format("format = \"raak/1\"\nspace = \"spatial\"\ngravity = [0.0, 0.0, {}]\n", -gravity) +
         "[ground.points]\nB = [0.0, 0.0, 0.0]\n" + bodies + "[bodies.last]\nmass = 1.0\n" + body + "[joints]\n" +
         hinges + joints + more;
}
const std::string rotor = "inertia = [0.5, 0.5, 0.4]\npoints = { C = [0.0, 0.0, 0.0] }\n";

TEST(TreeRecursion, ABallKeepsItsDigitsOverManyTurns) {
  const Model model = model_of(
      rods_and(rotor, "ball = { type = \"spherical\", pins = [\"r12.B\", \"last.C\"] }\n", 0.0,
               "[start.trust]\n\"last.rotation\" = [0.0, 0.0, 0.0]\n\"last.omega\" = [0.0, 0.0, \"200*pi\"]\n"),
      Coordinates::tree);
  ASSERT_EQ(dynamic_cast<const RecordedSystem*>(model.system.get()), nullptr) << "recorded as a whole";
  const State shown = shown_at_end(model, run_until(model, 2.0, 1e-11));
  EXPECT_NEAR(shown.q.tail(4).norm(), 1.0, 1e-14);
  EXPECT_NEAR(std::abs(shown.q.tail(4)[0]), 1.0, 1e-12);
  EXPECT_NEAR(shown.q.tail(1)[0], 0.0, 1e-8);
  EXPECT_NEAR(shown.v.tail(1)[0], 200.0 * std::numbers::pi, 1e-8);
}

TEST(TreeRecursion, ACrossBendsPastARightAngle) {
  const std::string text =
      rods_and("inertia = [0.5, 0.6, 0.4]\ncom = [0.1, 0.2, 0.3]\npoints = { C = [0.0, 0.0, 0.0] }\n",
               "cross = { type = \"universal\", pins = [\"r12.B\", \"last.C\"], axes = [\"r12.x\", \"last.y\"] }\n",
               9.81, "[start.trust]\n\"last.rotation\" = [0.0, 0.0, 0.0]\n\"last.omega\" = [0.3, 7.0, 0.0]\n");
  const Model tree = model_of(text, Coordinates::tree), maximal = model_of(text, Coordinates::maximal);
  expect_same(shown_at_end(tree, run_until(tree, 1.0, 1e-11)).q,
              shown_at_end(maximal, run_until(maximal, 1.0, 1e-11)).q, 1e-8, "q");
}

TEST(TreeRecursion, ALoopOfNoLengthMovesAsOneHinge) {
  const auto hinge = [](const std::string& name) {
    return name + " = { type = \"revolute\", pins = [\"r12.B\", \"last.C\"], axes = [\"r12.x\", \"last.x\"] }\n";
  };
  const Model once = model_of(rods_and(rotor, hinge("one"), 9.81), Coordinates::tree);
  const Model twice = model_of(rods_and(rotor, hinge("one") + hinge("two"), 9.81), Coordinates::tree);
  EXPECT_EQ(once.system->coordinates(), twice.system->coordinates());
  EXPECT_EQ(twice.system->rows(), 0);
  expect_same(consistent_start(once).a, consistent_start(twice).a, 1e-13, "a");
}

TEST(TreeRecursion, ABodyWithoutInertiaAboutItsHingeIsNamed) {
  const std::string text = rods_and(
      "inertia = [0.0, 0.1, 0.1]\npoints = { C = [0.0, 0.0, 0.0] }\n",
      "spin = { type = \"revolute\", pins = [\"r12.B\", \"last.C\"], axes = [\"r12.x\", \"last.x\"] }\n", 9.81);
  try {
    FAIL() << consistent_start(model_of(text, Coordinates::tree)).a.transpose();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("spin"), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Loads, TreeRecursions, testing::Bool());

}  // namespace
}  // namespace raak

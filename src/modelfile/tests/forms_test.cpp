// Whatever form a mechanism is solved in, its results are the same up to rounding: code recorded for the whole of it,
// and evaluation element by element, on every example and at states off the constraints.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "modelfile/tests/test_support.h"
#include "run/integrate.h"
#include "system/turn_gauge.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

const fs::path examples = fs::path(RAAK_SOURCES) / "examples";

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const char* folder : {"", "validation"})
    for (const auto& entry : fs::directory_iterator(examples / folder))
      if (entry.path().extension() == ".toml") names.push_back((fs::path(folder) / entry.path().stem()).string());
  // How far its rod is turned about itself is nobody's business, and each form starts it its own way.
  std::erase(names, "validation/rssr");
  std::sort(names.begin(), names.end());
  return names;
}

std::shared_ptr<const Instance> instance_of(const fs::path& path) {
  const auto mechanism = std::make_shared<const Mechanism>(read_mechanism(read_document(path.string()), path.string()));
  return std::make_shared<const Instance>(mechanism, declared_parameters(*mechanism));
}

// Centres of angles that count turns stand still (system/turn_gauge.h); they are the last coordinates.
void hold_centres(const ConstrainedSystem& system, const State& start, State& x) {
  const TurnGauge* const gauge = turn_gauge_of(system);
  if (gauge == nullptr) return;
  x.q.tail(gauge->coordinates()) = start.q.tail(gauge->coordinates());
  x.v.tail(gauge->coordinates()) = start.v.tail(gauge->coordinates());
}

Vector disturbed(const Vector& x, double by, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> value(-by, by);
  Vector result = x;
  for (double& entry : result) entry += value(random);
  return result;
}

double distance(const Vector& a, const Vector& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double worst = 0.0;
  const double size = 1.0 + (a.size() > 0 ? a.cwiseAbs().maxCoeff() : 0.0);
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    worst = std::max(worst, std::abs(a[i] - b[i]) / size);
    if (std::isnan(worst)) return worst;
  }
  return worst;
}

double distance(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
  return distance(Vector(a.reshaped()), Vector(b.reshaped()));
}

// The pieces that methods build their own equations of.
void expect_same_terms(const ConstrainedSystem& A, const ConstrainedSystem& B, const State& x) {
  constexpr double rounding = 1e-8;
  const Eigen::Index n = A.coordinates(), m = A.rows();
  Matrix of_a(n, n), of_b(n, n), more_of_a(n, n), more_of_b(n, n);
  A.mass(x.t, x.q, of_a);
  B.mass(x.t, x.q, of_b);
  EXPECT_LE(distance(of_a, of_b), rounding);
  A.force_derivatives(x.t, x.q, x.v, of_a, more_of_a);
  B.force_derivatives(x.t, x.q, x.v, of_b, more_of_b);
  EXPECT_LE(distance(of_a, of_b), rounding);
  EXPECT_LE(distance(more_of_a, more_of_b), rounding);
  A.inertia_stiffness(x, of_a);
  B.inertia_stiffness(x, of_b);
  EXPECT_LE(distance(of_a, of_b), rounding);
  Matrix G(m, n), H(m, n);
  A.jacobian(x.t, x.q, G);
  B.jacobian(x.t, x.q, H);
  EXPECT_LE(distance(G, H), rounding);
  Vector f(n), h(n), bias(m), same(m);
  A.force(x.t, x.q, x.v, f);
  B.force(x.t, x.q, x.v, h);
  EXPECT_LE(distance(f, h), rounding);
  A.acceleration_bias(x.t, x.q, x.v, bias);
  B.acceleration_bias(x.t, x.q, x.v, same);
  EXPECT_LE(distance(bias, same), rounding);
}

// One correction of both levels leaves what the product of the two changes is, whatever the form.
void expect_same_correction(const ConstrainedSystem& A, const ConstrainedSystem& B, const State& x) {
  Vector p = x.q, q = x.q, u = x.v, w = x.v, c(A.rows());
  EXPECT_NEAR(A.correct_state(x.t, p.data(), u.data()), B.correct_state(x.t, q.data(), w.data()), 1e-9);
  EXPECT_LE(distance(p, q), 1e-9);
  A.velocity_constraint(x.t, x.q, x.v, c);
  const double before = c.size() > 0 ? c.norm() : 0.0;
  for (const auto& [system, q_new, v_new] : {std::tuple{&A, &p, &u}, {&B, &q, &w}}) {
    system->velocity_constraint(x.t, *q_new, *v_new, c);
    EXPECT_LE(c.size() > 0 ? c.norm() : 0.0, 1e-9 + 1e-3 * before);
  }
}

class Forms : public testing::TestWithParam<std::string> {};

TEST_P(Forms, AgreeOnEveryQuantityOfTheContract) {
  const auto instance = instance_of(examples / (GetParam() + ".toml"));
  const Model recorded = assemble(instance, Coordinates::maximal);
  const Model by_element = assemble(instance, Coordinates::element_by_element);
  const ConstrainedSystem& A = *recorded.system;
  const ConstrainedSystem& B = *by_element.system;
  ASSERT_EQ(A.coordinates(), B.coordinates());
  ASSERT_EQ(A.rows(), B.rows());
  EXPECT_EQ(A.reported().rows, B.reported().rows);
  EXPECT_EQ(A.has_input_power(), B.has_input_power());
  ASSERT_EQ(recorded.mobility != nullptr, by_element.mobility != nullptr);
  if (recorded.mobility) {
    EXPECT_EQ(recorded.mobility->rank, by_element.mobility->rank);
    EXPECT_EQ(recorded.mobility->mobility, by_element.mobility->mobility);
    EXPECT_EQ(recorded.mobility->sharing, by_element.mobility->sharing);
    EXPECT_EQ(recorded.mobility->drivers, by_element.mobility->drivers);
    EXPECT_EQ(recorded.mobility->momentary, by_element.mobility->momentary);
    EXPECT_EQ(recorded.mobility->indeterminate, by_element.mobility->indeterminate);
    EXPECT_EQ(recorded.mobility->notes, by_element.mobility->notes);
  }
  const State start = consistent_start(recorded);
  const State other = consistent_start(by_element);
  EXPECT_LE(distance(start.q, other.q), 1e-9);
  EXPECT_LE(distance(start.v, other.v), 1e-9);
  const bool singular = recorded.mobility && recorded.mobility->momentary > 0;  // which magnifies rounding
  const double rounding = singular ? 1e-7 : 1e-9;
  if (A.description().constraints != B.description().constraints) {
    // Of redundant rows that serve equally well each form has chosen its own: the motion is the same.
    ASSERT_TRUE(recorded.mobility);
    EXPECT_LT(recorded.mobility->rank, recorded.mobility->rows);
    EXPECT_LE(distance(start.a, other.a), rounding);
    return;
  }
  for (unsigned seed = 0; seed < 3; ++seed) {
    State x = start;
    x.t = 0.1 * seed;
    x.q = disturbed(start.q, 1e-3 * seed, seed);
    x.v = disturbed(start.v, 0.1 * seed, seed + 10);
    hold_centres(A, start, x);
    State y = x;
    const double pivot = update_accelerations(A, x);
    update_accelerations(B, y);
    if (!(pivot > 1e-6)) continue;  // a singular configuration magnifies rounding without limit
    EXPECT_LE(distance(x.a, y.a), rounding);
    EXPECT_LE(distance(x.lambda, y.lambda), rounding);
    Vector g(A.position_rows()), h(A.position_rows()), c(A.rows()), d(A.rows());
    A.constraint(x.t, x.q, g);
    B.constraint(x.t, x.q, h);
    EXPECT_LE(distance(g, h), rounding);
    A.velocity_constraint(x.t, x.q, x.v, c);
    B.velocity_constraint(x.t, x.q, x.v, d);
    EXPECT_LE(distance(c, d), rounding);
    EXPECT_NEAR(A.energy(x.t, x.q, x.v).kinetic, B.energy(x.t, x.q, x.v).kinetic,
                rounding * (1.0 + A.energy(x.t, x.q, x.v).kinetic));
    EXPECT_NEAR(A.energy(x.t, x.q, x.v).potential, B.energy(x.t, x.q, x.v).potential,
                rounding * (1.0 + std::abs(A.energy(x.t, x.q, x.v).potential)));
    const double power = A.input_power(x);
    EXPECT_NEAR(power, B.input_power(x), 1e-8 * (1.0 + std::abs(power)));
    Vector of_a(A.outputs()), of_b(B.outputs());
    A.evaluate_outputs(x, of_a);
    B.evaluate_outputs(x, of_b);
    EXPECT_LE(distance(of_a, of_b), rounding);
    Vector diagonal(A.coordinates()), same(A.coordinates());
    A.mass_diagonal(x.t, x.q, diagonal);
    B.mass_diagonal(x.t, x.q, same);
    EXPECT_LE(distance(diagonal, same), rounding);
    Vector p = x.q, q = x.q, u = x.v, w = x.v;
    EXPECT_NEAR(A.correct_position(x.t, p.data()), B.correct_position(x.t, q.data()), rounding);
    EXPECT_NEAR(A.correct_velocity(x.t, x.q.data(), u.data()), B.correct_velocity(x.t, x.q.data(), w.data()),
                rounding * (1.0 + c.norm()));
    EXPECT_NEAR(c.norm(), B.correct_velocity(x.t, x.q.data(), Vector(x.v).data()), rounding * (1.0 + c.norm()));
    EXPECT_NEAR(g.norm(), B.correct_position(x.t, Vector(x.q).data()), rounding);
    if (A.coordinates() <= 60) expect_same_terms(A, B, x);
    State near = start;
    near.q = disturbed(start.q, 1e-8 * seed, seed);
    near.v = disturbed(start.v, 0.1 * seed, seed + 10);
    if (A.rows() > 0 && !singular) expect_same_correction(A, B, near);
    EXPECT_LE(distance(p, q), rounding);
    EXPECT_LE(distance(u, w), rounding);
    // Four lanes give what one state gives.
    const auto n = static_cast<std::size_t>(A.coordinates());
    std::vector<Pack> Q(n), V(n), a(n);
    for (std::size_t i = 0; i < n; ++i) {
      Q[i] = Pack(x.q[static_cast<Eigen::Index>(i)]);
      V[i] = Pack(x.v[static_cast<Eigen::Index>(i)]);
    }
    const Pack t(x.t);
    Pack smallest(0.0);
    const auto numbers = [](auto* packs) { return reinterpret_cast<double*>(packs); };
    B.accelerate_lanes(reinterpret_cast<const double*>(&t), numbers(Q.data()), numbers(V.data()), numbers(a.data()),
                       nullptr, numbers(&smallest));
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(a[i][3], y.a[static_cast<Eigen::Index>(i)], rounding * (1.0 + y.a.cwiseAbs().maxCoeff()));
    if (seed > 0) continue;  // quaternions off unit length are shown each in its own way
    State shown_a, shown_b;
    A.report(x, shown_a);
    B.report(x, shown_b);
    EXPECT_LE(distance(shown_a.q, shown_b.q), rounding);
    EXPECT_LE(distance(shown_a.v, shown_b.v), rounding);
    EXPECT_LE(distance(shown_a.a, shown_b.a), rounding);
    EXPECT_LE(distance(shown_a.lambda, shown_b.lambda), rounding);
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, Forms, testing::ValuesIn(example_names()), [](const auto& name) {
  std::string text = name.param;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return text;
});

}  // namespace
}  // namespace raak

#include "system/recorded/recorded_system.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <random>

#include "oracle/jet_terms.h"
#include "system/equations/equations.h"
#include "system/recorded/partition/partition.h"

namespace raak {
namespace {

// A pendulum on a support that moves, with a damper and a skate that forbids one velocity: all kinds of terms at once.
struct Written {
  static constexpr int coordinates = 4, constraints = 2, velocity_constraints = 1;
  void mass(const auto&, const auto& q, auto& M) const {
    M(0, 0) = 3.0;
    M(1, 1) = 3.0;
    M(2, 2) = 2.0 + 0.5 * sin(q[2]);
    M(3, 3) = 1.0;
    M(3, 2) = 0.3 * cos(q[3]);
  }
  void force(const auto& t, const auto& q, const auto& v, auto& f) const {
    f[0] = -0.4 * v[0] * v[0];
    f[1] = 29.4 + sin(t) * q[3];
    f[3] = -2.0 * q[3] - v[3];
  }
  void constraint(const auto& t, const auto& q, auto& g) const {
    g[0] = q[0] - 0.75 * sin(q[2]) - 0.1 * sin(3.0 * t);
    g[1] = q[1] - 0.75 * cos(q[2]);
  }
  void velocity_constraint(const auto& t, const auto& q, const auto& v, auto& c) const {
    c[0] = sin(q[2]) * v[3] - cos(q[3]) * v[2] + 0.2 * t;
  }
  auto potential(const auto& t, const auto& q) const { return -29.4 * q[1] + q[3] * q[3] - sin(t) * q[1] * q[3]; }
  auto power(const auto&, const auto&, const auto& v) const { return -v[3] * v[3]; }
};

class RecordedSystemTest : public testing::Test {
 protected:
  static State random_state(int seed) {
    std::mt19937_64 random(static_cast<unsigned>(seed));
    std::uniform_real_distribution<double> value(-1.0, 1.0);
    State x = State::of_size(4, 3);
    x.t = value(random);
    for (Vector* part : {&x.q, &x.v, &x.a, &x.lambda})
      for (double& entry : *part) entry = value(random);
    return x;
  }
  static void expect_equal(const Matrix& found, const Matrix& expected, double tolerance = 1e-12) {
    EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), tolerance * (1.0 + expected.cwiseAbs().maxCoeff()))
        << found << "\n\n"
        << expected;
  }
  template <class Row, std::size_t size>
  static Row columns(const std::array<double, size>& x) {
    return Row::Map(x.data(), static_cast<Eigen::Index>(size));
  }
  static std::array<double, 4> column(const Vector& x) { return {x[0], x[1], x[2], x[3]}; }

  const Written problem_{};
  const JetTerms<Written> jets_{problem_};
  const Equations<Written> recorded_{problem_};
};

TEST_F(RecordedSystemTest, HasTheTermsThatJetsDerive) {
  using Both = Jet<double, 8>;
  using Outer = Jet<double, 4>;
  for (int seed = 0; seed < 5; ++seed) {
    const State x = random_state(seed);
    const auto q = column(x.q), v = column(x.v);
    Matrix M(4, 4), f_q(4, 4), f_v(4, 4), K(4, 4), G(3, 4);
    recorded_.mass(x.t, x.q, M);
    recorded_.force_derivatives(x.t, x.q, x.v, f_q, f_v);
    recorded_.inertia_stiffness(x, K);
    recorded_.jacobian(x.t, x.q, G);
    Vector f(4), g(2), c(3), bias(3);
    recorded_.force(x.t, x.q, x.v, f);
    recorded_.constraint(x.t, x.q, g);
    recorded_.velocity_constraint(x.t, x.q, x.v, c);
    recorded_.acceleration_bias(x.t, x.q, x.v, bias);

    expect_equal(f, columns<Vector>(jets_.force<double>(x.t, q, v)));
    expect_equal(g, columns<Vector>(jets_.constraint<double>(x.t, q)));
    expect_equal(c, columns<Vector>(jets_.velocity_residual<double>(x.t, q, v)));
    expect_equal(bias, columns<Vector>(jets_.bias<double>(x.t, q, v)));
    std::array<Both, 4> both_q, both_v;
    std::array<Outer, 4> outer_q;
    for (std::size_t i = 0; i < 4; ++i) {
      both_q[i] = Both::variable(q[i], static_cast<int>(i));
      both_v[i] = Both::variable(v[i], static_cast<int>(4 + i));
      outer_q[i] = Outer::variable(q[i], static_cast<int>(i));
    }
    const auto forces = jets_.force<Both>(Both(x.t), both_q, both_v);
    const auto masses = jets_.mass<Outer>(Outer(x.t), outer_q);
    const auto rows = jets_.jacobian<Outer>(Outer(x.t), outer_q);
    double kinetic = 0.0;
    for (int i = 0; i < 4; ++i) {
      Outer inertia(0.0);
      for (int j = 0; j < 4; ++j) inertia += masses(i, j) * x.a[j];
      for (int k = 0; k < 3; ++k) inertia += rows(k, i) * x.lambda[k];
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(G(k, i), rows(k, i).value, 1e-14);
      for (int j = 0; j < 4; ++j) {
        const auto at = static_cast<std::size_t>(j);
        EXPECT_NEAR(M(i, j), masses(i, j).value, 1e-14);
        EXPECT_NEAR(f_q(i, j), forces[static_cast<std::size_t>(i)].partial[at], 1e-12);
        EXPECT_NEAR(f_v(i, j), forces[static_cast<std::size_t>(i)].partial[4 + at], 1e-12);
        EXPECT_NEAR(K(i, j), inertia.partial[at], 1e-12);
        kinetic += 0.5 * x.v[i] * masses(i, j).value * x.v[j];
      }
    }

    using Moving = Jet<double, 1>;
    std::array<Moving, 4> fixed, still;
    for (std::size_t i = 0; i < 4; ++i) fixed[i] = Moving::constant(q[i]);
    const Moving time = Moving::variable(x.t, 0);
    const Moving potential = problem_.potential(time, fixed);
    const auto moved = jets_.constraint<Moving>(time, fixed);
    std::array<Moving, 1> skate;
    problem_.velocity_constraint(time, fixed, still, skate);
    const double power = problem_.power(x.t, q, v) + potential.partial[0] + x.lambda[0] * moved[0].partial[0] +
                         x.lambda[1] * moved[1].partial[0] + x.lambda[2] * skate[0].value;
    const Energy e = recorded_.energy(x.t, x.q, x.v);
    EXPECT_NEAR(e.kinetic, kinetic, 1e-13);
    EXPECT_NEAR(e.potential, potential.value, 1e-13);
    EXPECT_EQ(e.input, 0.0);
    EXPECT_NEAR(recorded_.input_power(x), power, 1e-13);
  }
}

TEST_F(RecordedSystemTest, HasTheAccelerationsAndCorrectionsOfItsTerms) {
  for (int seed = 0; seed < 5; ++seed) {
    const State x = random_state(seed);
    Matrix M(4, 4), G(3, 4);
    Vector f(4), g(2), c(3), bias(3);
    recorded_.mass(x.t, x.q, M);
    recorded_.jacobian(x.t, x.q, G);
    recorded_.force(x.t, x.q, x.v, f);
    recorded_.constraint(x.t, x.q, g);
    recorded_.velocity_constraint(x.t, x.q, x.v, c);
    recorded_.acceleration_bias(x.t, x.q, x.v, bias);
    Matrix saddle = Matrix::Zero(7, 7);
    saddle << M, G.transpose(), G, Matrix::Zero(3, 3);
    Vector right(7);
    right << f, bias;
    const Vector motion = saddle.partialPivLu().solve(right);
    State found = x;
    update_accelerations(recorded_, found);
    expect_equal(found.a, motion.head(4), 1e-11);
    expect_equal(found.lambda, motion.tail(3), 1e-11);
    recorded_.accelerate(x.t, x.q.data(), x.v.data(), found.a.data(), nullptr);
    expect_equal(found.a, motion.head(4), 1e-11);

    // The shortest changes in the metric of M that remove the residuals.
    const Matrix top = G.topRows(2), inverse = M.inverse();
    const Vector shift = inverse * top.transpose() * (top * inverse * top.transpose()).inverse() * g;
    EXPECT_NEAR(recorded_.correct_position(x.t, found.q.data()), g.norm(), 1e-13);
    expect_equal(found.q, x.q - shift);
    const Vector change = inverse * G.transpose() * (G * inverse * G.transpose()).inverse() * c;
    EXPECT_NEAR(recorded_.correct_velocity(x.t, x.q.data(), found.v.data()), c.norm(), 1e-13);
    expect_equal(found.v, x.v - change);
  }
}

// Two loops that share a crank, on a support that moves, with a spring and a damper.
struct TwoLoops {
  static constexpr int coordinates = 5, constraints = 4;
  void mass(const auto&, const auto& q, auto& M) const {
    M(0, 0) = 0.9;
    M(1, 1) = 1.3;
    M(2, 2) = 0.8;
    M(3, 3) = 0.6;
    M(4, 4) = 1.1;
    M(1, 0) = 0.2 * cos(q[0] - q[1]);
  }
  void force(const auto& t, const auto& q, const auto& v, auto& f) const {
    f[0] = 2.0 - 0.3 * v[0] + sin(t) * q[2];
    f[2] = -4.0 * sin(q[2]) - 0.2 * v[2] * v[2];
    f[4] = -1.5 * q[4] + 0.1 * v[3] * v[4];
  }
  void constraint(const auto& t, const auto& q, auto& g) const {
    g[0] = cos(q[0]) + 1.6 * cos(q[1]) - 1.2 * cos(q[2]) - 1.5 - 0.1 * sin(t);
    g[1] = sin(q[0]) + 1.6 * sin(q[1]) - 1.2 * sin(q[2]);
    g[2] = 0.7 * cos(q[2]) + 1.4 * cos(q[3]) - q[4];
    g[3] = 0.7 * sin(q[2]) + 1.4 * sin(q[3]);
  }
};

class TwoLoopsTest : public testing::Test {
 protected:
  static constexpr int n = 5, m = 4, freedoms = 1;
  TwoLoopsTest() {
    state_.t = 0.4;
    state_.q << 1.3, 0.4, 1.2, -0.5, 1.4;
    state_.v << 0.7, -0.3, 0.2, 0.1, -0.4;
    for (int i = 0; i < 20; ++i) recorded_.correct_state(state_.t, state_.q.data(), state_.v.data());
    Matrix G(m, n);
    Matrix M(n, n);
    recorded_.jacobian(state_.t, state_.q, G);
    recorded_.mass(state_.t, state_.q, M);
    found_ = chooser_.choose(G, M.diagonal());
  }
  // N of the partition, and mass, damping and stiffness reduced to it by the functions of the system.
  Matrix reduced(const Partition& partition) {
    Matrix G(m, n);
    recorded_.jacobian(state_.t, state_.q, G);
    Matrix GD(m, m);
    for (int k = 0; k < m; ++k) GD.col(k) = G.col(partition.dependent()[static_cast<std::size_t>(k)]);
    const int free = partition.independent()[0];
    const Vector ND = -GD.inverse() * G.col(free);
    Vector N(n);
    N[free] = 1.0;
    for (int k = 0; k < m; ++k) N[partition.dependent()[static_cast<std::size_t>(k)]] = ND[k];
    update_accelerations(recorded_, state_);
    Matrix M(n, n);
    Matrix f_q(n, n);
    Matrix f_v(n, n);
    Matrix K(n, n);
    recorded_.mass(state_.t, state_.q, M);
    recorded_.force_derivatives(state_.t, state_.q, state_.v, f_q, f_v);
    recorded_.inertia_stiffness(state_, K);
    return Matrix{{N.dot(M * N), -N.dot(f_v * N), N.dot((K - f_q) * N)}};
  }

  Equations<TwoLoops> recorded_{TwoLoops{}};
  State state_ = State::of_size(n, m);
  PivotChooser chooser_{m, n, 0.5};
  bool found_ = false;
};

TEST_F(TwoLoopsTest, BringsPositionsAndVelocitiesToTheConstraintsWithOneElimination) {
  Vector g(m);
  Vector c(m);
  recorded_.constraint(state_.t, state_.q, g);
  recorded_.velocity_constraint(state_.t, state_.q, state_.v, c);
  EXPECT_LT(g.norm(), 1e-14);
  EXPECT_LT(c.norm(), 1e-14);
  State other = state_;
  other.q[1] += 1e-5;
  other.v[3] += 1e-4;
  State one_by_one = other;
  const double residual = recorded_.correct_state(other.t, other.q.data(), other.v.data());
  EXPECT_NEAR(residual, recorded_.correct_position(one_by_one.t, one_by_one.q.data()), 1e-15);
  recorded_.correct_velocity(one_by_one.t, one_by_one.q.data(), one_by_one.v.data());
  EXPECT_LT((other.q - one_by_one.q).norm(), 1e-13);
  EXPECT_LT((other.v - one_by_one.v).norm(), 1e-9);  // products of the two changes
}

TEST_F(TwoLoopsTest, IsEvaluatedAlikeByItsRecordedPartitionAndTheDenseOne) {
  ASSERT_TRUE(found_);
  const Partition* recorded = recorded_.partition(chooser_.plan());
  ASSERT_NE(recorded, nullptr);
  struct {
    alignas(32) double a[lanes * n], dependent[lanes * m * (2 + freedoms)], determinants[lanes * m];
  } one{}, other{};
  alignas(32) double t[lanes];
  alignas(32) double q[lanes * n];
  alignas(32) double v[lanes * n];
  for (int lane = 0; lane < lanes; ++lane) {
    t[lane] = state_.t + 0.01 * lane;
    for (int d = 0; d < n; ++d) {
      q[lanes * d + lane] = state_.q[d] + 0.01 * lane * (d - 2);
      v[lanes * d + lane] = state_.v[d];
    }
  }
  recorded->evaluate(t, q, v, {one.a, one.dependent, one.determinants});
  DensePartition(recorded_, chooser_.plan()).evaluate(t, q, v, {other.a, other.dependent, other.determinants});
  for (int i = 0; i < lanes * n; ++i) EXPECT_NEAR(one.a[i], other.a[i], 1e-11) << i;
  for (int i = 0; i < lanes * m * (2 + freedoms); ++i) EXPECT_NEAR(one.dependent[i], other.dependent[i], 1e-12) << i;
  for (std::size_t i = 0; i < lanes * chooser_.plan().blocks.size(); ++i)
    EXPECT_NEAR(one.determinants[i], other.determinants[i], 1e-12) << i;
}

TEST_F(TwoLoopsTest, IsLinearisedAlikeByItsPartitionAndByItsFunctions) {
  ASSERT_TRUE(found_);
  const Partition& partition = *recorded_.partition(chooser_.plan());
  alignas(32) double t[lanes];
  alignas(32) double q[lanes * n];
  alignas(32) double v[lanes * n];
  alignas(32) double terms[lanes * 3 * freedoms * freedoms];
  for (int lane = 0; lane < lanes; ++lane) {
    t[lane] = state_.t;
    for (int d = 0; d < n; ++d) q[lanes * d + lane] = state_.q[d], v[lanes * d + lane] = state_.v[d];
  }
  ASSERT_TRUE(partition.linearise(t, q, v, terms));
  const Matrix expected = reduced(partition);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(terms[lanes * i], expected(0, i), 1e-11) << i;
}

}  // namespace
}  // namespace raak

#include "system/recorded/recorded_system.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <memory>
#include <random>

#include "system/equations/equations.h"
#include "system/recorded/partition.h"

namespace raak {
namespace {

// A pendulum on a support that moves, with a damper and a skate that forbids one velocity: all kinds of terms at once.
struct Written {
  static constexpr int coordinates = 4, constraints = 2, velocity_constraints = 1;
  RAAK_INLINE void mass(const auto&, const auto& q, auto& M) const {
    M(0, 0) = 3.0;
    M(1, 1) = 3.0;
    M(2, 2) = 2.0 + 0.5 * sin(q[2]);
    M(3, 3) = 1.0;
    M(3, 2) = 0.3 * cos(q[3]);
  }
  RAAK_INLINE void force(const auto& t, const auto& q, const auto& v, auto& f) const {
    f[0] = -0.4 * v[0] * v[0];
    f[1] = 29.4 + sin(t) * q[3];
    f[3] = -2.0 * q[3] - v[3];
  }
  RAAK_INLINE void constraint(const auto& t, const auto& q, auto& g) const {
    g[0] = q[0] - 0.75 * sin(q[2]) - 0.1 * sin(3.0 * t);
    g[1] = q[1] - 0.75 * cos(q[2]);
  }
  RAAK_INLINE void velocity_constraint(const auto& t, const auto& q, const auto& v, auto& c) const {
    c[0] = sin(q[2]) * v[3] - cos(q[3]) * v[2] + 0.2 * t;
  }
  auto potential(const auto& t, const auto& q) const { return -29.4 * q[1] + q[3] * q[3] - sin(t) * q[1] * q[3]; }
  auto power(const auto&, const auto&, const auto& v) const { return -v[3] * v[3]; }
};

// The same equations by formulas over the recording scalar.
class Recordable final : public Formulas {
 public:
  void mass(const Recorded& t, const Reals& q, SymmetricEntries& M) const override { written_.mass(t, q, M); }
  void force(const Recorded& t, const Reals& q, const Reals& v, Reals& f) const override { written_.force(t, q, v, f); }
  void constraint(const Recorded& t, const Reals& q, Reals& g) const override {
    g.resize(2);
    written_.constraint(t, q, g);
  }
  void velocity_constraint(const Recorded& t, const Reals& q, const Reals& v, Reals& c) const override {
    Reals row(1);
    written_.velocity_constraint(t, q, v, row);
    c.push_back(row[0]);
  }
  Recorded potential(const Recorded& t, const Reals& q) const override { return written_.potential(t, q); }
  Recorded power(const Recorded& t, const Reals& q, const Reals& v) const override { return written_.power(t, q, v); }

 private:
  Written written_;
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
  std::shared_ptr<const ConstrainedSystem> written_ = make_system(Written{});
  RecordedSystem recorded_{std::make_shared<Recordable>(), 4, 2, 1, {}};
};

TEST_F(RecordedSystemTest, HasTheTermsOfTheSameEquationsWrittenByHand) {
  for (int seed = 0; seed < 5; ++seed) {
    const State x = random_state(seed);
    const auto matrices = [&](const ConstrainedSystem& s) {
      std::vector<Matrix> all(5, Matrix(4, 4));
      all[4].resize(3, 4);
      s.mass(x.t, x.q, all[0]);
      s.force_derivatives(x.t, x.q, x.v, all[1], all[2]);
      s.inertia_stiffness(x, all[3]);
      s.jacobian(x.t, x.q, all[4]);
      return all;
    };
    const auto vectors = [&](const ConstrainedSystem& s) {
      std::vector<Vector> all{Vector(4), Vector(2), Vector(3), Vector(3), Vector(4)};
      s.force(x.t, x.q, x.v, all[0]);
      s.constraint(x.t, x.q, all[1]);
      s.velocity_constraint(x.t, x.q, x.v, all[2]);
      s.acceleration_bias(x.t, x.q, x.v, all[3]);
      const Energy e = s.energy(x.t, x.q, x.v);
      all[4] << e.kinetic, e.potential, e.input, s.input_power(x);
      return all;
    };
    const auto found = matrices(recorded_);
    const auto expected = matrices(*written_);
    for (std::size_t i = 0; i < found.size(); ++i) expect_equal(found[i], expected[i]);
    const auto found_vectors = vectors(recorded_);
    const auto expected_vectors = vectors(*written_);
    for (std::size_t i = 0; i < found_vectors.size(); ++i) expect_equal(found_vectors[i], expected_vectors[i]);
  }
}

TEST_F(RecordedSystemTest, HasTheAccelerationsAndCorrectionsOfTheSameEquationsWrittenByHand) {
  for (int seed = 0; seed < 5; ++seed) {
    const State x = random_state(seed);
    State found = x;
    State expected = x;
    update_accelerations(recorded_, found);
    update_accelerations(*written_, expected);
    expect_equal(found.a, expected.a, 1e-11);
    expect_equal(found.lambda, expected.lambda, 1e-11);
    recorded_.accelerate(x.t, x.q.data(), x.v.data(), found.a.data(), nullptr);
    expect_equal(found.a, expected.a, 1e-11);
    EXPECT_NEAR(recorded_.correct_position(x.t, found.q.data()), written_->correct_position(x.t, expected.q.data()),
                1e-13);
    expect_equal(found.q, expected.q);
    EXPECT_NEAR(recorded_.correct_velocity(x.t, x.q.data(), found.v.data()),
                written_->correct_velocity(x.t, x.q.data(), expected.v.data()), 1e-13);
    expect_equal(found.v, expected.v);
  }
}

// Two loops that share a crank, on a support that moves, with a spring and a damper.
struct TwoLoops {
  static constexpr int coordinates = 5, constraints = 4;
  RAAK_INLINE void mass(const auto&, const auto& q, auto& M) const {
    M(0, 0) = 0.9;
    M(1, 1) = 1.3;
    M(2, 2) = 0.8;
    M(3, 3) = 0.6;
    M(4, 4) = 1.1;
    M(1, 0) = 0.2 * cos(q[0] - q[1]);
  }
  RAAK_INLINE void force(const auto& t, const auto& q, const auto& v, auto& f) const {
    f[0] = 2.0 - 0.3 * v[0] + sin(t) * q[2];
    f[2] = -4.0 * sin(q[2]) - 0.2 * v[2] * v[2];
    f[4] = -1.5 * q[4] + 0.1 * v[3] * v[4];
  }
  RAAK_INLINE void constraint(const auto& t, const auto& q, auto& g) const {
    g[0] = cos(q[0]) + 1.6 * cos(q[1]) - 1.2 * cos(q[2]) - 1.5 - 0.1 * sin(t);
    g[1] = sin(q[0]) + 1.6 * sin(q[1]) - 1.2 * sin(q[2]);
    g[2] = 0.7 * cos(q[2]) + 1.4 * cos(q[3]) - q[4];
    g[3] = 0.7 * sin(q[2]) + 1.4 * sin(q[3]);
  }
};

class RecordableLoops final : public Formulas {
 public:
  void mass(const Recorded& t, const Reals& q, SymmetricEntries& M) const override { written_.mass(t, q, M); }
  void force(const Recorded& t, const Reals& q, const Reals& v, Reals& f) const override { written_.force(t, q, v, f); }
  void constraint(const Recorded& t, const Reals& q, Reals& g) const override {
    g.resize(4);
    written_.constraint(t, q, g);
  }

 private:
  TwoLoops written_;
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

  RecordedSystem recorded_{std::make_shared<RecordableLoops>(), n, m, 0, {}};
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

#include "system/recorded_system.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include "system/consistent_start.h"
#include "system/equations.h"

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

}  // namespace
}  // namespace raak

// Residuals and derivatives of the equations as one kernel each, against the functions of the system and differences.
#include "system/recorded/equation_kernels.h"

#include <gtest/gtest.h>

#include "system/example_systems.h"

namespace raak {
namespace {

// Two masses on a bar whose length changes, and a blade that turns with it: rows on positions and on velocities.
struct BarWithBlade {
  static constexpr int coordinates = 5;
  static constexpr int constraints = 1;
  static constexpr int velocity_constraints = 1;

  void mass(const auto&, const auto& q, auto& M) const {
    for (int i = 0; i < 5; ++i) M(i, i) = 1.0 + 0.5 * i;
    M(4, 0) = 0.2 * cos(q[4]);
  }
  void force(const auto& t, const auto& q, const auto& v, auto& f) const {
    f[0] = -2.0 * q[0] * q[2] - 0.3 * v[0] * v[4];
    f[1] = sin(q[4]) - v[1];
    f[3] = 0.5 * v[3] * v[3] + cos(t);
    f[4] = q[1] * v[2];
  }
  void constraint(const auto& t, const auto& q, auto& g) const {
    g[0] = (q[0] - q[2]) * (q[0] - q[2]) + (q[1] - q[3]) * (q[1] - q[3]) - (2.0 + 0.1 * sin(t));
  }
  void velocity_constraint(const auto&, const auto& q, const auto& v, auto& c) const {
    c[0] = v[1] * cos(q[4]) - v[0] * sin(q[4]) + 0.3 * q[2] * v[3];
  }
};

class EquationsOfABar : public testing::Test {
 protected:
  static constexpr int n = 5, mp = 1, m = 2;

  EquationsOfABar() {
    forces << at.a, at.lambda;
    in = {&at.t, at.q.data(), at.v.data(), forces.data()};
  }
  // M a + G' lambda - f and what else is asked for, by the functions of the system.
  Vector imbalance(const State& x) const {
    Matrix mass(n, n), jacobian(m, n);
    Vector f(n);
    system->mass(x.t, x.q, mass);
    system->jacobian(x.t, x.q, jacobian);
    system->force(x.t, x.q, x.v, f);
    return mass * x.a + jacobian.transpose() * x.lambda - f;
  }
  Vector velocity_rows(const State& x) const {
    Vector c(m);
    system->velocity_constraint(x.t, x.q, x.v, c);
    return c;
  }
  Vector rows_of_index1(const State& x) const {
    Matrix jacobian(m, n);
    Vector bias(m);
    system->jacobian(x.t, x.q, jacobian);
    system->acceleration_bias(x.t, x.q, x.v, bias);
    return jacobian * x.a - bias;
  }
  // Central differences by q or v.
  template <class F>
  Matrix slope(F&& f, Vector State::*by) const {
    constexpr double step = 1e-5;
    Matrix result(f(at).size(), n);
    for (int j = 0; j < n; ++j) {
      State more = at, less = at;
      (more.*by)[j] += step;
      (less.*by)[j] -= step;
      result.col(j) = (f(more) - f(less)) / (2.0 * step);
    }
    return result;
  }

  std::shared_ptr<const ConstrainedSystem> system = make_system(BarWithBlade{});
  const EquationKernels& kernels = *system->equation_kernels();
  State at{0.4, Vector{{1.0, 0.5, -0.3, 0.2, 0.7}}, Vector{{0.6, -0.2, 0.9, 0.4, -1.1}},
           Vector{{0.3, 2.0, -1.0, 0.5, 0.8}}, Vector{{1.5, -0.7}}};
  Vector forces{n + m};
  std::array<const double*, EquationKernels::blocks> in;
  Matrix M{n, n}, K{n, n}, f_v{n, n}, G{m, n}, Gdot{m, n};
};

TEST_F(EquationsOfABar, HaveTheResidualsOfTheSystem) {
  Vector r(n + m + mp), g(mp);
  kernels.residual(in.data(), r.data());
  system->constraint(at.t, at.q, g);
  EXPECT_LT((r.head(n) - imbalance(at)).norm(), 1e-14);
  EXPECT_LT((r.segment(n, m) - velocity_rows(at)).norm(), 1e-14);
  EXPECT_LT((r.tail(mp) - g).norm(), 1e-14);
  kernels.residual_of_index1(in.data(), r.data());
  EXPECT_LT((r.head(n) - imbalance(at)).norm(), 1e-14);
  EXPECT_LT((r.segment(n, m) - rows_of_index1(at)).norm(), 1e-14);
}

TEST_F(EquationsOfABar, HaveTheSameResidualsInLanes) {
  const auto spread = [](const double* from, int size) {
    std::vector<Pack> to;
    for (int i = 0; i < size; ++i) to.emplace_back(from[i]);
    return to;
  };
  const auto t = spread(&at.t, 1), q = spread(at.q.data(), n), v = spread(at.v.data(), n);
  const auto ab = spread(forces.data(), n + m);
  std::vector<Pack> found(n + m + mp);
  const auto data = [](auto& packs) { return reinterpret_cast<const double*>(packs.data()); };
  const double* const packs_in[EquationKernels::blocks] = {data(t), data(q), data(v), data(ab)};
  kernels.residual_lanes(packs_in, reinterpret_cast<double*>(found.data()));
  Vector r(n + m + mp);
  kernels.residual(in.data(), r.data());
  for (int i = 0; i < n + m + mp; ++i)
    for (int lane = 0; lane < lanes; ++lane) EXPECT_EQ(found[static_cast<std::size_t>(i)][lane], r[i]);
}

TEST_F(EquationsOfABar, HaveTheDerivativesOfTheirResiduals) {
  Matrix mass(n, n), jacobian(m, n);
  system->mass(at.t, at.q, mass);
  system->jacobian(at.t, at.q, jacobian);
  const auto balance = [&](const State& x) { return imbalance(x); };
  const Matrix by_q = slope(balance, &State::q);
  const Matrix by_v = slope(balance, &State::v);
  const auto expect_derivatives = [&](const Matrix& of_rows) {
    EXPECT_LT((M - mass).norm(), 1e-14);
    EXPECT_LT((G - jacobian).norm(), 1e-14);
    EXPECT_LT((K - by_q).norm(), 1e-8);
    EXPECT_LT((f_v + by_v).norm(), 1e-8);
    EXPECT_LT((Gdot - of_rows).norm(), 1e-8);
  };
  kernels.linearise(in.data(), {M, K, f_v, G, Gdot});
  expect_derivatives(slope([&](const State& x) { return velocity_rows(x); }, &State::q));
  kernels.linearise_index1(in.data(), {M, K, f_v, G, Gdot});
  expect_derivatives(0.5 * slope([&](const State& x) { return rows_of_index1(x); }, &State::v));
}

}  // namespace
}  // namespace raak

#include "methods/linear/sparse_newton.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <random>

namespace raak {
namespace {

SparseMatrix sparse_of(const Matrix& dense) {
  SparseMatrix result = dense.sparseView();
  result.makeCompressed();
  return result;
}

// A chain of bodies of three coordinates with two rows between neighbours, and stiffness that is not symmetric.
StateLinearization chain(int bodies) {
  const int n = 3 * bodies, m = 2 * bodies;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  StateLinearization system(n, m);
  Matrix f_q = Matrix::Zero(n, n), f_v = f_q;
  for (int i = 0; i < n; ++i) {
    system.M(i, i) = 2.0 + value(random);
    for (int j = 0; j < n; ++j) {
      if (std::abs(i / 3 - j / 3) > 1) continue;
      system.inertia(i, j) = value(random);
      f_q(i, j) = 5.0 * value(random) - (i == j ? 40.0 : 0.0);
      f_v(i, j) = value(random) - (i == j ? 6.0 : 0.0);
    }
  }
  for (int k = 0; k < m; ++k)
    for (int j = 3 * std::max(0, k / 2 - 1); j < 3 * (k / 2 + 1); ++j) system.G(k, j) = value(random);
  system.K = system.inertia - f_q;
  system.D = -f_v;
  system.sparse = {sparse_of(system.M), sparse_of(system.inertia), sparse_of(f_q), sparse_of(f_v), sparse_of(system.G)};
  system.pattern = std::make_shared<const SaddlePattern>(system);
  return system;
}

template <int s>
void expect_same_corrections() {
  const StateLinearization system = chain(9);
  const auto n = static_cast<int>(system.M.rows());
  const CollocationSpectrum spectrum(as_runge_kutta(collocation_rule(Collocation::Kind::radau, s)));
  NewtonLanes<s> dense(n, static_cast<int>(system.G.rows()), spectrum);
  SparseNewton<s> sparse(spectrum);
  std::vector<int> component;
  std::vector<double> weight;
  for (int d = 0; d < n; ++d) {
    component.push_back(d);
    weight.push_back(1.0 + 0.1 * d);
  }
  for (const double h : {1e-3, 0.2, 3.0}) {
    ASSERT_TRUE(dense.factor(system, h));
    ASSERT_TRUE(sparse.factor(system, h));
    std::mt19937 random(3);
    std::uniform_real_distribution<double> value(-1.0, 1.0);
    LaneArray residual(s * n), by_dense(s * n), by_sparse(s * n);
    for (int i = 0; i < s * n; ++i) {
      residual[i] = value(random);
      by_dense[i] = by_sparse[i] = value(random);
    }
    const double size = dense.correct(residual.data(), by_dense.data(), weight.data(), component.data());
    EXPECT_NEAR(sparse.correct(residual.data(), by_sparse.data(), weight.data(), component.data()), size, 1e-7 * size);
    for (int i = 0; i < s * n; ++i) EXPECT_NEAR(by_sparse[i], by_dense[i], 1e-7 * (1.0 + size));
    // The contraction of one is below the norm of the other, and not by far in a system of few bodies.
    const double norm = dense.departure(weight.data(), component.data());
    EXPECT_GT(sparse.departure(weight.data(), component.data()), 0.05 * norm);
    EXPECT_LT(sparse.departure(weight.data(), component.data()), 1.1 * norm);
  }
}

TEST(SparseNewton, CorrectsAsDenseMatricesDo) {
  expect_same_corrections<4>();
  expect_same_corrections<8>();
  expect_same_corrections<16>();
}

TEST(SparseNewton, TakesWorkInProportionToTheBodiesOfAChain) {
  const CollocationSpectrum spectrum(as_runge_kutta(collocation_rule(Collocation::Kind::radau, 8)));
  const auto cost = [&](int bodies) {
    const StateLinearization system = chain(bodies);
    SparseNewton<8> newton(spectrum);
    EXPECT_TRUE(newton.factor(system, 0.1));
    return newton.factor_cost();
  };
  EXPECT_LT(cost(80), 3.0 * cost(40));  // dense ones take eight times as much
}

TEST(SparseNewton, RefusesASingularMatrix) {
  StateLinearization system = chain(3);
  system.sparse.G *= 0.0;
  SparseNewton<8> newton(CollocationSpectrum(as_runge_kutta(collocation_rule(Collocation::Kind::radau, 8))));
  EXPECT_FALSE(newton.factor(system, 0.1));
}

}  // namespace
}  // namespace raak

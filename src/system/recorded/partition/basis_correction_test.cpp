// Corrections that a basis does not see: the recorded kernel against dense factors of [G; V], and Newton's method by
// it.
#include "system/recorded/partition/basis_correction.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>

#include "system/example_systems.h"
#include "system/recorded/equation_kernels.h"

namespace raak {
namespace {

// Three angles and a slide in one loop, whose support moves.
struct MovingLoop {
  static constexpr int coordinates = 4;
  static constexpr int constraints = 2;

  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = M(2, 2) = M(3, 3) = 1.0; }
  void force(const auto&, const auto&, const auto&, auto&) const {}
  void constraint(const auto& t, const auto& q, auto& g) const {
    g[0] = cos(q[0]) + 2.0 * cos(q[1]) - 1.5 * cos(q[2]) + 0.3 * q[3] - 1.8 - 0.1 * sin(t);
    g[1] = sin(q[0]) + 2.0 * sin(q[1]) - 1.5 * sin(q[2]) + 0.2 * q[3] * q[0];
  }
};

class CorrectionByABasis : public testing::TestWithParam<double> {
 protected:
  static constexpr int n = 4, m = 2, freedoms = 2;

  // A basis whose directions lie up to GetParam() rad off the tangent.
  CorrectionByABasis() {
    system->jacobian(t, q, G);
    const Matrix Q = Matrix(G.transpose().householderQr().householderQ());
    const Matrix normal = Q.leftCols(m).transpose();
    const Matrix tangent = Q.rightCols(freedoms).transpose();
    const double angle = GetParam();
    Matrix turned = tangent;
    turned.row(0) = std::cos(angle) * tangent.row(0) + std::sin(angle) * normal.row(1);
    turned.row(1) = std::cos(0.5 * angle) * tangent.row(1) - std::sin(0.5 * angle) * normal.row(0);
    V.row(0) = 0.6 * turned.row(0) + 0.8 * turned.row(1);
    V.row(1) = 0.8 * turned.row(0) - 0.6 * turned.row(1);
    PivotChooser chooser(m, n, 0.5);
    if (chooser.choose(G, Vector::Ones(n))) correction = system->equation_kernels()->basis_correction(chooser.plan());
  }
  void evaluate() {
    correction->evaluate(t, q.data(), v.data(), V.data(), {change.data(), L.data(), determinants.data()});
  }
  Vector residual() {
    Vector g(m);
    system->constraint(t, q, g);
    return g;
  }
  Vector velocity_residual(const Vector& at) {
    Vector c(m);
    system->velocity_constraint(t, at, v, c);
    return c;
  }
  Matrix solved(const Matrix& right) {
    Matrix both(n, n);
    both << G, V;
    return both.partialPivLu().solve(right);
  }
  Vector solved_rows(const Vector& r) {
    Vector right = Vector::Zero(n);
    right.head(m) = r;
    return solved(right);
  }

  std::shared_ptr<const ConstrainedSystem> system = make_system(MovingLoop{});
  double t = 0.4;
  Vector q{{1.2, 0.3, 1.4, 0.1}}, v{{0.5, -0.2, 0.7, 0.3}};
  Matrix G{m, n}, V{freedoms, n}, L{n, freedoms};
  Vector change{2 * n}, determinants{m};
  const BasisCorrection* correction = nullptr;
};

TEST_P(CorrectionByABasis, IsThatOfDenseFactors) {
  ASSERT_NE(correction, nullptr);
  evaluate();
  Matrix right = Matrix::Zero(n, freedoms);
  right.bottomRows(freedoms).setIdentity();
  EXPECT_LT((L - solved(right)).norm(), 1e-13);
  const Vector dq = solved_rows(-residual());
  EXPECT_LT((change.head(n) - dq).norm(), 1e-13);
  const double share = 1e-4;  // of dq, for a difference
  const Vector slope = (velocity_residual(q + share * dq) - velocity_residual(q - share * dq)) / (2.0 * share);
  EXPECT_LT((change.tail(n) - solved_rows(-velocity_residual(q) - slope)).norm(), 1e-8);
}

TEST_P(CorrectionByABasis, ComesToTheConstraintsAndLeavesWhatTheBasisSees) {
  const Vector z = V * q;
  const Vector rate = V * v;
  for (int iteration = 0; iteration < 8; ++iteration) {
    evaluate();
    q += change.head(n);
    v += change.tail(n);
  }
  EXPECT_LT(residual().norm(), 1e-14);
  EXPECT_LT(velocity_residual(q).norm(), 1e-14);
  EXPECT_LT((V * q - z).norm(), 1e-14);
  EXPECT_LT((V * v - rate).norm(), 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Angles, CorrectionByABasis, testing::Values(0.0, 0.3, 1.0));

TEST(BasisCorrections, AreKeptOneForEachChoiceOfPivots) {
  const auto system = make_system(MovingLoop{});
  PivotPlan plan;
  plan.blocks = {{{0, 1}, {0, 1}, 2, 1.0}};
  plan.independent = {2, 3};
  const BasisCorrection* const first = system->equation_kernels()->basis_correction(plan);
  plan.blocks[0].reference = 2.0;
  EXPECT_EQ(system->equation_kernels()->basis_correction(plan), first);
  plan.blocks[0].column = {0, 2};
  plan.independent = {1, 3};
  EXPECT_NE(system->equation_kernels()->basis_correction(plan), first);
}

TEST(BasisCorrections, AreNotMadeWhereVelocitiesAreConstrained) {
  const auto system = make_system(example::KnifeEdge{});
  EXPECT_EQ(system->equation_kernels()->basis_correction(PivotPlan{}), nullptr);
}

}  // namespace
}  // namespace raak

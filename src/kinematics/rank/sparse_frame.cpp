#include "kinematics/rank/sparse_frame.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <random>

#include "kinematics/rank/rank_policy.h"

namespace raak {
namespace {

constexpr double delta = RankPolicy::zero;  // of squares: far above their rounding, far below that of a regular row

}  // namespace

SparseFrame::SparseFrame(const ConstrainedSystem& system, Vector units, int rank)
    : system_(system),
      units_(std::move(units)),
      spare_(system.rows() - rank),
      G_(system.rows(), system.coordinates()) {}

bool SparseFrame::factor(double t, const Vector& q, bool of_positions) {
  system_.jacobian(t, q, G_);
  if (!G_.allFinite()) return false;
  if (of_positions) G_.bottomRows(system_.velocity_rows()).setZero();
  G_ = G_ * units_.asDiagonal();
  lengths_ = G_.rowwise().norm().cwiseMax(1e-300);
  A_ = (lengths_.cwiseInverse().asDiagonal() * G_).sparseView();
  Eigen::SparseMatrix<double> S = A_ * Sparse(A_.transpose());
  for (Eigen::Index i = 0; i < S.rows(); ++i) S.coeffRef(i, i) += delta;
  factors_.compute(S);
  return factors_.info() == Eigen::Success;
}

bool SparseFrame::look(double t, const Vector& q) {
  constexpr int iterations = 4;
  if (!factor(t, q)) return false;
  const Eigen::Index m = G_.rows();
  // With one more, which shows how far the rows are from losing rank.
  const Eigen::Index count = std::min(spare_ + 1, m);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  Matrix found(m, count);
  for (double& entry : found.reshaped()) entry = value(random);
  for (int i = 0; i < iterations; ++i) {
    const Matrix next = factors_.solve(found);
    if (!next.allFinite()) return false;
    found = Eigen::HouseholderQR<Matrix>(next).householderQ() * Matrix::Identity(m, count);
  }
  const Matrix combined = A_.transpose() * found;
  const Eigen::SelfAdjointEigenSolver<Matrix> values(Matrix(combined.transpose() * combined));
  if (count > spare_ && !(values.eigenvalues()[spare_] > RankPolicy::regular * RankPolicy::regular)) return false;
  vanishing_ = found * values.eigenvectors().leftCols(spare_);
  return true;
}

Vector SparseFrame::change_for(const Vector& rows) const {
  const Vector x = A_.transpose() * Vector(factors_.solve(rows.cwiseQuotient(lengths_)));
  return x.cwiseProduct(units_);
}

Vector SparseFrame::along_rows(const Vector& motion) const {
  Vector x = motion.cwiseQuotient(units_);
  // Twice: the first time leaves a part of delta/sigma^2.
  for (int i = 0; i < 2; ++i) x -= A_.transpose() * Vector(factors_.solve(Vector(A_ * x)));
  return x.cwiseProduct(units_);
}

bool SparseFrame::bring_back(double t, Vector& q) {
  constexpr int most = 8;
  constexpr double farthest = 1.0;
  constexpr double close = 1e-8;  // of the last correction, which leaves its square
  Vector residual = Vector::Zero(G_.rows());
  Vector g(system_.position_rows());
  for (int i = 0; i < most; ++i) {
    if (!factor(t, q, true)) return false;
    system_.constraint(t, q, g);
    residual.head(g.size()) = g;
    const Vector change = change_for(residual);
    const double size = size_of(change);
    if (!(size < farthest)) return false;
    q -= change;
    if (size < close) return true;
  }
  return false;
}

bool SparseFrame::correct_rates(double t, const Vector& q, Vector& v) {
  if (!factor(t, q)) return false;
  Vector residual(G_.rows());
  system_.velocity_constraint(t, q, v, residual);
  v -= change_for(residual);
  return v.allFinite();
}

}  // namespace raak

#include "kinematics/rank/sparse_frame.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/linear/eigenvalues.h"
#include "base/linear/factors.h"
#include "kinematics/rank/rank_policy.h"

namespace raak {
namespace {

constexpr double delta = RankPolicy::zero;  // of squares: far above their rounding, far below that of a regular row
constexpr Eigen::Index few_rows = 100;

}  // namespace

SparseFrame::SparseFrame(const ConstrainedSystem& system, Vector units, int rank)
    : system_(system), units_(std::move(units)), spare_(system.rows() - rank), G_(system.rows(), system.coordinates()) {
  if (has_few_rows()) few_.setZero(system.rows(), system.rows());
}

bool SparseFrame::has_few_rows() const {
  return G_.rows() <= few_rows;
}

bool SparseFrame::factor_few() {
  const Eigen::Index m = A_.rows();
  Vector row = Vector::Zero(A_.cols());
  begins_.assign(static_cast<std::size_t>(m), 0);
  for (Eigen::Index i = 0; i < m; ++i) {
    for (Sparse::InnerIterator entry(A_, i); entry; ++entry) row[entry.col()] = entry.value();
    const auto [first, last] = spans_[static_cast<std::size_t>(i)];
    double* const own = few_.col(i).data();
    Eigen::Index& begin = begins_[static_cast<std::size_t>(i)];
    begin = i;
    for (Eigen::Index k = i; k >= 0; --k) {
      double product = 0.0;
      const auto& span = spans_[static_cast<std::size_t>(k)];
      if (span.first <= last && span.second >= first)
        for (Sparse::InnerIterator entry(A_, k); entry; ++entry) product += entry.value() * row[entry.col()];
      own[k] = product;
      if (product != 0.0) begin = k;
    }
    for (Sparse::InnerIterator entry(A_, i); entry; ++entry) row[entry.col()] = 0.0;
    double rest = own[i] + delta;
    for (Eigen::Index k = begin; k < i; ++k) {
      const double* const other = few_.col(k).data();
      double entry = own[k];
      for (Eigen::Index j = std::max(begin, begins_[static_cast<std::size_t>(k)]); j < k; ++j)
        entry -= own[j] * other[j];
      own[k] = entry * other[k];
      rest -= own[k] * own[k];
    }
    if (!(rest > 0.0)) return false;
    own[i] = 1.0 / std::sqrt(rest);
  }
  return true;
}

bool SparseFrame::factor_many() {
  return many_.factor(A_ * Sparse(A_.transpose()), delta);
}

Matrix SparseFrame::divided(const Matrix& right) const {
  if (!has_few_rows()) return many_.solve(right);
  Matrix x = right;
  for (Eigen::Index column = 0; column < x.cols(); ++column) {
    double* const of = x.col(column).data();
    for (Eigen::Index i = 0; i < few_.cols(); ++i) {
      const double* const own = few_.col(i).data();
      for (Eigen::Index k = begins_[static_cast<std::size_t>(i)]; k < i; ++k) of[i] -= own[k] * of[k];
      of[i] *= own[i];
    }
    for (Eigen::Index i = few_.cols() - 1; i >= 0; --i) {
      const double* const own = few_.col(i).data();
      of[i] *= own[i];
      for (Eigen::Index k = begins_[static_cast<std::size_t>(i)]; k < i; ++k) of[k] -= own[k] * of[i];
    }
  }
  return x;
}

bool SparseFrame::factor(double t, const Vector& q, bool of_positions) {
  system_.jacobian(t, q, G_);
  if (!G_.allFinite()) return false;
  if (of_positions) G_.bottomRows(system_.velocity_rows()).setZero();
  G_ = G_ * units_.asDiagonal();
  const Eigen::Matrix<double, -1, -1, Eigen::RowMajor> rows = G_;
  lengths_ = rows.rowwise().norm().cwiseMax(1e-300);
  A_.resize(rows.rows(), rows.cols());
  spans_.assign(static_cast<std::size_t>(rows.rows()), {0, -1});
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    A_.startVec(i);
    const double* const row = rows.row(i).data();
    const double scale = 1.0 / lengths_[i];
    auto& [first, last] = spans_[static_cast<std::size_t>(i)];
    for (int j = 0; j < static_cast<int>(rows.cols()); ++j) {
      if (row[j] == 0.0) continue;
      A_.insertBack(i, j) = scale * row[j];
      if (last < 0) first = j;
      last = j;
    }
  }
  A_.finalize();
  return has_few_rows() ? factor_few() : factor_many();
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
    const Matrix next = divided(found);
    if (!next.allFinite()) return false;
    found = orthonormal_columns(next);
  }
  const Matrix combined = A_.transpose() * found;
  const Eigen::SelfAdjointEigenSolver<Matrix> values(Matrix(combined.transpose() * combined));
  if (count > spare_ && !(values.eigenvalues()[spare_] > RankPolicy::regular * RankPolicy::regular)) return false;
  vanishing_ = found * values.eigenvectors().leftCols(spare_);
  return true;
}

Vector SparseFrame::change_for(const Vector& rows) const {
  const Vector x = A_.transpose() * divided(rows.cwiseQuotient(lengths_));
  return x.cwiseProduct(units_);
}

Vector SparseFrame::along_rows(const Vector& motion) const {
  Vector x = motion.cwiseQuotient(units_);
  // Twice: the first time leaves a part of delta/sigma^2.
  for (int i = 0; i < 2; ++i) x -= A_.transpose() * divided(A_ * x);
  return x.cwiseProduct(units_);
}

bool SparseFrame::bring_back(double t, Vector& q) {
  constexpr int most = 12;
  constexpr double farthest = 1.0;
  constexpr double near = 1e-2;   // from where on factors are as good as those of the configuration itself
  constexpr double close = 1e-8;  // of the last correction, which leaves a hundredth of it
  Vector residual = Vector::Zero(G_.rows());
  Vector g(system_.position_rows());
  double size = farthest;
  for (int i = 0; i < most; ++i) {
    if (size > near && !factor(t, q, true)) return false;
    system_.constraint(t, q, g);
    residual.head(g.size()) = g;
    const Vector change = change_for(residual);
    size = size_of(change);
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

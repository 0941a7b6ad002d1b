#include "kinematics/rank/constraint_frame.h"

#include <algorithm>
#include <cmath>

#include "base/linear/eigenvalues.h"
#include "kinematics/rank/independent_rows.h"

namespace raak {
namespace {

constexpr Eigen::Index most_rows_for_svd = 60;  // above it the eigenvalues of A A' do, to half the digits

}  // namespace

ConstraintFrame::ConstraintFrame(Matrix rows, const Vector& usual) : A_(std::move(rows)) {
  lengths_ = A_.rowwise().norm().cwiseMax(1e-300);
  if (usual.size() == lengths_.size()) lengths_ = lengths_.cwiseMax(usual).eval();
  A_ = (lengths_.cwiseInverse().asDiagonal() * A_).eval();
}

Matrix ConstraintFrame::scaled_rows(const ConstrainedSystem& system, double t, const Vector& q) {
  Matrix G(system.rows(), system.coordinates());
  system.jacobian(t, q, G);
  return system.row_scales().cwiseInverse().asDiagonal() * G * system.coordinate_scales().asDiagonal();
}

ConstraintFrame ConstraintFrame::with_alike_lengths(const Matrix& rows) {
  const double largest = rows.rows() > 0 ? rows.rowwise().norm().maxCoeff() : 0.0;
  return ConstraintFrame(rows, Vector::Constant(rows.rows(), largest));
}

ConstraintFrame::ConstraintFrame(const ConstrainedSystem& system, double t, const Vector& q)
    : ConstraintFrame(scaled_rows(system, t, q)) {}

const Eigen::ColPivHouseholderQR<Matrix>& ConstraintFrame::qr() const {
  if (!qr_) qr_.emplace(Matrix(A_.transpose()));
  return *qr_;
}

const Svd& ConstraintFrame::svd() const {
  if (!svd_) svd_.emplace(A_);
  return *svd_;
}

bool ConstraintFrame::is_regular() const {
  if (A_.rows() == 0 || A_.rows() > A_.cols() || !A_.allFinite()) return false;
  return are_clearly_independent(A_) || strength(A_.rows()) > RankPolicy::regular;
}

double ConstraintFrame::strength(Eigen::Index rank) const {
  if (rank == 0) return 0.0;
  const auto diagonal = qr().matrixQR().diagonal().cwiseAbs();
  return diagonal[rank - 1] / std::max(diagonal[0], 1e-300);
}

Eigen::Index ConstraintFrame::rank(double threshold) const {
  if (A_.size() == 0) return 0;
  const Vector diagonal = qr().matrixQR().diagonal().cwiseAbs();
  return std::count_if(diagonal.begin(), diagonal.end(), [&](double d) { return d > threshold * diagonal[0]; });
}

Matrix ConstraintFrame::motions(Eigen::Index rank) const {
  const Eigen::Index n = A_.cols();
  if (A_.rows() == 0) return Matrix::Identity(n, n);
  if (svd_) return svd_->right_vectors().rightCols(n - rank);
  return qr().householderQ() * Matrix::Identity(n, n).rightCols(n - rank);
}

Matrix ConstraintFrame::dependences(Eigen::Index rank) const {
  return svd().left_vectors().rightCols(A_.rows() - rank);
}

Vector ConstraintFrame::multipliers(const Vector& right) const {
  return qr().solve(right).cwiseQuotient(lengths_);
}

ConstraintFrame::Weakest ConstraintFrame::weakest(Eigen::Index ways, bool beside_usual) const {
  const Eigen::Index m = A_.rows();
  const double least_of_largest = beside_usual ? 1.0 : 0.0;
  if (m > most_rows_for_svd) {
    const Eigen::SelfAdjointEigenSolver<Matrix> squares(Matrix(A_ * A_.transpose()));
    const Vector& values = squares.eigenvalues();
    return {std::sqrt(std::max(0.0, values[0]) / std::max(least_of_largest, values[m - 1])),
            squares.eigenvectors().col(0)};
  }
  const Vector& sigma = svd().singular_values();
  const Eigen::Index last = std::min(m, ways) - 1;
  if (m > ways) return {0.0, svd().left_vectors().col(m - 1)};
  return {sigma[last] / std::max(least_of_largest, sigma[0]), svd().left_vectors().col(last)};
}

}  // namespace raak

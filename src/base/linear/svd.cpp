#include "base/linear/svd.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>

template class Eigen::JacobiSVD<Eigen::MatrixXd>;

namespace raak {
namespace {

constexpr Eigen::Index many = 17;
constexpr auto both = Eigen::ComputeFullU | Eigen::ComputeFullV;

}  // namespace

Svd::Svd(Eigen::Index rows, Eigen::Index columns) : large_(std::min(rows, columns) >= many) {
  if (!large_) rotated_ = Eigen::JacobiSVD<Matrix>(rows, columns, both);
}

void Svd::compute(const Matrix& a) {
  if (large_) compute_large(a);
  else rotated_.compute(a);
}

// Rotations find even tiny singular values to all digits, but they are many. In the eigenvectors of A'A the columns of
// A are orthogonal but for rounding, so that few are left to do: 5 to 10 ms instead of 20 to 80 at 120 x 160. Eigen's
// divide and conquer (3.4.0) takes as long, and its vectors are wrong where many singular values are equal, as those of
// equal links.
void Svd::compute_large(const Matrix& a) {
  const bool is_wide = a.cols() > a.rows();
  const Matrix tall = is_wide ? Matrix(a.transpose()) : a;
  const Eigen::Index n = tall.cols();
  const Eigen::SelfAdjointEigenSolver<Matrix> squared(tall.transpose() * tall);
  const Matrix turned = squared.eigenvectors().rowwise().reverse();  // the largest first
  const Eigen::HouseholderQR<Matrix> qr(tall * turned);
  rotated_.compute(Matrix(qr.matrixQR().topRows(n).triangularView<Eigen::Upper>()), both);
  sigma_ = rotated_.singularValues();
  right_ = turned * rotated_.matrixV();
  left_ = Matrix::Identity(tall.rows(), tall.rows());
  left_.topLeftCorner(n, n) = rotated_.matrixU();
  left_.applyOnTheLeft(qr.householderQ());
  if (is_wide) left_.swap(right_);
}

Eigen::Index Svd::rank(double relative_threshold) const {
  const Vector& sigma = singular_values();
  Eigen::Index r = 0;
  while (r < sigma.size() && sigma[r] > relative_threshold * sigma[0] && sigma[r] > 0.0) ++r;
  return r;
}

}  // namespace raak

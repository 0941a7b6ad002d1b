#include "base/svd.h"

#include <algorithm>

template class Eigen::JacobiSVD<Eigen::MatrixXd>;
template class Eigen::BDCSVD<Eigen::MatrixXd>;

namespace raak {
namespace {

constexpr Eigen::Index many = 17;
constexpr auto both = Eigen::ComputeFullU | Eigen::ComputeFullV;

}  // namespace

Svd::Svd(Eigen::Index rows, Eigen::Index columns) : large_(std::min(rows, columns) >= many) {
  if (large_) divided_ = Eigen::BDCSVD<Matrix>(rows, columns, both);
  else rotated_ = Eigen::JacobiSVD<Matrix>(rows, columns, both);
}

void Svd::compute(const Matrix& a) {
  if (large_) {
    divided_.compute(a);
    // Eigen's divide and conquer may divide zero by zero where many singular values are equal, as those of equal links.
    const bool failed = divided_.info() != Eigen::Success || !divided_.singularValues().allFinite() ||
                        !divided_.matrixU().allFinite() || !divided_.matrixV().allFinite();
    if (!failed || !a.allFinite()) return;
    large_ = false;
    rotated_ = Eigen::JacobiSVD<Matrix>(a.rows(), a.cols(), both);
  }
  rotated_.compute(a);
}

Eigen::Index Svd::rank(double relative_threshold) const {
  const Vector& sigma = singular_values();
  Eigen::Index r = 0;
  while (r < sigma.size() && sigma[r] > relative_threshold * sigma[0] && sigma[r] > 0.0) ++r;
  return r;
}

}  // namespace raak

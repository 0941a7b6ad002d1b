#include "base/svd.h"

template class Eigen::JacobiSVD<Eigen::MatrixXd>;

namespace raak {

Svd::Svd(Eigen::Index rows, Eigen::Index columns) : svd_(rows, columns, Eigen::ComputeFullU | Eigen::ComputeFullV) {}

void Svd::compute(const Matrix& a) {
  svd_.compute(a);
}

Eigen::Index Svd::rank(double relative_threshold) const {
  const Vector& sigma = singular_values();
  Eigen::Index r = 0;
  while (r < sigma.size() && sigma[r] > relative_threshold * sigma[0] && sigma[r] > 0.0) ++r;
  return r;
}

}  // namespace raak

#include "kinematics/rank/independent_rows.h"

#include "base/linear/sparse_factors.h"
#include "kinematics/rank/rank_policy.h"
#include "kinematics/rank/sparse_step.h"

namespace raak {

bool is_clearly_positive(const Eigen::SparseMatrix<double>& A) {
  const SparseSymmetricFactors factors(A);
  return factors.exist() && factors.smallest_pivot() > RankPolicy::weak;
}

bool are_clearly_independent(const Matrix& A) {
  if (A.rows() < many_unknowns || A.rows() > A.cols() || !A.allFinite()) return false;
  const Vector lengths = A.rowwise().norm();
  if (!(lengths.minCoeff() > 0.0)) return false;
  Eigen::SparseMatrix<double> rows = A.sparseView();
  rows = lengths.cwiseInverse().asDiagonal() * rows;
  return is_clearly_positive(rows * Eigen::SparseMatrix<double>(rows.transpose()));
}

}  // namespace raak

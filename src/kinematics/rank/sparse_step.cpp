#include "kinematics/rank/sparse_step.h"

#include "base/linear/sparse_factors.h"

namespace raak {

Vector sparse_damped_solution(const Matrix& A, const Vector& b, double mu) {
  const Eigen::SparseMatrix<double> rows = A.sparseView();
  return SparseSymmetricFactors(rows.transpose() * rows, mu).solve(Vector(rows.transpose() * b));
}

}  // namespace raak

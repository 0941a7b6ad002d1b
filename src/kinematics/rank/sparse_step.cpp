#include "kinematics/rank/sparse_step.h"

#include <Eigen/SparseCholesky>

namespace raak {

Vector sparse_damped_solution(const Matrix& A, const Vector& b, double mu) {
  const Eigen::SparseMatrix<double> rows = A.sparseView();
  Eigen::SparseMatrix<double> identity(A.cols(), A.cols());
  identity.setIdentity();
  const Eigen::SparseMatrix<double> normal = Eigen::SparseMatrix<double>(rows.transpose() * rows) + mu * identity;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(normal);
  return factor.solve(rows.transpose() * b);
}

}  // namespace raak

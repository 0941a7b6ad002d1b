#include "base/linear/factors.h"

RAAK_FACTORS(template)

namespace raak {

Vector solve_square(const Matrix& A, const Vector& b) {
  return Eigen::PartialPivLU<Matrix>(A).solve(b);
}

Vector solve_symmetric(const Matrix& A, const Vector& b) {
  return Eigen::LDLT<Matrix>(A).solve(b);
}

Vector solve_least(const Matrix& A, const Vector& b) {
  return Eigen::CompleteOrthogonalDecomposition<Matrix>(A).solve(b);
}

Vector solve_shortest(const Matrix& A, const Vector& b) {
  return A.transpose() * solve_symmetric(A * A.transpose(), b);
}

Matrix orthonormal_columns(const Matrix& A) {
  return Eigen::HouseholderQR<Matrix>(A).householderQ() * Matrix::Identity(A.rows(), A.cols());
}

Matrix triangle_of(const Matrix& A) {
  return Eigen::HouseholderQR<Matrix>(A).matrixQR().topRows(A.cols()).triangularView<Eigen::Upper>();
}

Matrix orthonormal_complement(const Matrix& A) {
  return Matrix(Eigen::HouseholderQR<Matrix>(A).householderQ()).rightCols(A.rows() - A.cols());
}

Eigen::MatrixXcd inverse_of(const Eigen::MatrixXcd& A) {
  return A.inverse();
}

}  // namespace raak

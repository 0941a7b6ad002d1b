// Whether the rows of a large matrix are independent beyond doubt, or a symmetric one is positive definite, at a small
// part of the work of a rank or of eigenvalues: in the sparse factors L D L' of A A' with rows of unit length, D tells
// the squared distance of each row from those before it.
#pragma once
#include <Eigen/SparseCholesky>

#include "system/sparse_step.h"

namespace raak {

// Of a symmetric matrix with a diagonal of ones. False also where that is not clear.
inline bool is_clearly_positive(const Eigen::SparseMatrix<double>& A) {
  constexpr double clear = 1e-6;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(A);
  return factor.info() == Eigen::Success && factor.vectorD().minCoeff() > clear;
}

// False also where that is not clear, and of small matrices, whose rank is found as fast.
inline bool are_clearly_independent(const Matrix& A) {
  if (A.rows() < many_unknowns || A.rows() > A.cols() || !A.allFinite()) return false;
  const Vector lengths = A.rowwise().norm();
  if (!(lengths.minCoeff() > 0.0)) return false;
  Eigen::SparseMatrix<double> rows = A.sparseView();
  rows = lengths.cwiseInverse().asDiagonal() * rows;
  return is_clearly_positive(rows * Eigen::SparseMatrix<double>(rows.transpose()));
}

}  // namespace raak

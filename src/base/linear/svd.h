// Singular value decomposition in the form of Mani, Haug and Atkinson (J. Mech. Trans. Autom. Design 107, 1985),
// eq. 2.17:
//   A = U' D V,  A of size m x n,  U (m x m) and V (n x n) orthonormal by rows, D = [diag(sigma) 0], sigma descending.
// The rows of V beyond the rank span the null space of A: they are V_I, the directions in which a mechanism can move.
#pragma once
#include <Eigen/SVD>

#include "base/linear/linear.h"

// Instantiated once, in svd.cpp: it takes the compiler seconds.
extern template class Eigen::JacobiSVD<Eigen::MatrixXd>;

namespace raak {

class Svd {
 public:
  // Small matrices: reserves everything that `compute` needs, which then allocates nothing.
  Svd(Eigen::Index rows, Eigen::Index columns);
  explicit Svd(const Matrix& a) : Svd(a.rows(), a.cols()) { compute(a); }

  void compute(const Matrix& a);

  const Vector& singular_values() const { return large_ ? sigma_ : rotated_.singularValues(); }
  // Columns of these are the rows of U and V.
  const Matrix& left_vectors() const { return large_ ? left_ : rotated_.matrixU(); }
  const Matrix& right_vectors() const { return large_ ? right_ : rotated_.matrixV(); }

  // Number of singular values above relative_threshold times the largest.
  Eigen::Index rank(double relative_threshold) const;

 private:
  void compute_large(const Matrix& a);

  bool large_;
  Eigen::JacobiSVD<Matrix> rotated_;
  Vector sigma_;
  Matrix left_, right_;
};

}  // namespace raak

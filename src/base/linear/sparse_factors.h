// Factors L D L' of a symmetric sparse matrix and a multiple of 1 (SimplicialLDLT of Eigen), compiled once.
#pragma once
#include <Eigen/SparseCore>
#include <memory>

#include "base/linear/linear.h"

namespace raak {

class SparseSymmetricFactors {
 public:
  SparseSymmetricFactors();
  explicit SparseSymmetricFactors(const Eigen::SparseMatrix<double>& A, double shift = 0.0);
  ~SparseSymmetricFactors();

  // Of A + shift 1; false where there are none.
  bool factor(const Eigen::SparseMatrix<double>& A, double shift);
  bool exist() const;
  double smallest_pivot() const;
  Vector solve(const Vector& b) const;
  Matrix solve(const Matrix& b) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace raak

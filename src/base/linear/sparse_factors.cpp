#include "base/linear/sparse_factors.h"

#include <Eigen/SparseCholesky>

namespace raak {

struct SparseSymmetricFactors::Factors : Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> {};

SparseSymmetricFactors::SparseSymmetricFactors() : factors_(std::make_unique<Factors>()) {}
SparseSymmetricFactors::SparseSymmetricFactors(const Eigen::SparseMatrix<double>& A, double shift)
    : SparseSymmetricFactors() {
  factor(A, shift);
}
SparseSymmetricFactors::~SparseSymmetricFactors() = default;

bool SparseSymmetricFactors::factor(const Eigen::SparseMatrix<double>& A, double shift) {
  factors_->setShift(shift);
  factors_->compute(A);
  return exist();
}

bool SparseSymmetricFactors::exist() const {
  return factors_->info() == Eigen::Success;
}

double SparseSymmetricFactors::smallest_pivot() const {
  return factors_->vectorD().minCoeff();
}

Vector SparseSymmetricFactors::solve(const Vector& b) const {
  return factors_->solve(b);
}

Matrix SparseSymmetricFactors::solve(const Matrix& b) const {
  return factors_->solve(b);
}

}  // namespace raak

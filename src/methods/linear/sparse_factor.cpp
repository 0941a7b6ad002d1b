#include "methods/linear/sparse_factor.h"

#include <Eigen/SparseLU>
#include <limits>

namespace raak {

template <class Scalar>
struct SparseFactor<Scalar>::Factors {
  explicit Factors(Eigen::Index size) : J(size, size) {}

  Eigen::SparseMatrix<Scalar> J;
  Eigen::SparseLU<Eigen::SparseMatrix<Scalar>, Eigen::COLAMDOrdering<int>> lu;
  Eigen::Index analysed = -1;  // nonzeros of the pattern
};

template <class Scalar>
SparseFactor<Scalar>::SparseFactor(Eigen::Index size) : factors_(std::make_unique<Factors>(size)) {}
template <class Scalar>
SparseFactor<Scalar>::SparseFactor(SparseFactor&&) noexcept = default;
template <class Scalar>
SparseFactor<Scalar>& SparseFactor<Scalar>::operator=(SparseFactor&&) noexcept = default;
template <class Scalar>
SparseFactor<Scalar>::~SparseFactor() = default;

template <class Scalar>
void SparseFactor<Scalar>::factor() {
  auto& [J, lu, analysed] = *factors_;
  J.setFromTriplets(entries_.begin(), entries_.end());
  if (J.nonZeros() != analysed) lu.analyzePattern(J);
  analysed = J.nonZeros();
  lu.factorize(J);
}

template <class Scalar>
void SparseFactor<Scalar>::solve(const Column& r, Column& x) const {
  if (factors_->lu.info() == Eigen::Success) x = factors_->lu.solve(r);
  else x.setConstant(r.size(), Scalar(std::numeric_limits<double>::quiet_NaN()));
}

template class SparseFactor<double>;
template class SparseFactor<std::complex<double>>;

}  // namespace raak

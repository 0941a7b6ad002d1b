// The matrix of a Newton step of second_order_newton.h with its factors: dense or sparse as its Linearization is, or
// split along and across the constraints (split_newton.h).
#pragma once
#include <complex>
#include <optional>

#include "base/linear/factors.h"
#include "methods/direct/second_order_newton.h"
#include "methods/linear/sparse_factor.h"

namespace raak {

template <class Scalar>
class NewtonMatrix {
 public:
  using Column = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  explicit NewtonMatrix(const Linearization& linear);

  void factor(Scalar wv, Scalar wq);
  void solve(const Column& r, Column& x) const;

 private:
  using Dense = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  const Linearization* linear_;
  Dense J_;
  Eigen::PartialPivLU<Dense> lu_;
  std::optional<SparseFactor<Scalar>> sparse_;
  mutable std::optional<SplitFactors<Scalar>> split_;
};

extern template class NewtonMatrix<double>;
extern template class NewtonMatrix<std::complex<double>>;

}  // namespace raak

// The matrix of a Newton step of second_order_newton.h with its factors: dense or sparse as its Linearization is, or
// split along and across the constraints (split_newton.h).
#pragma once
#include <Eigen/LU>
#include <optional>
#include <vector>

#include "methods/direct/second_order_newton.h"
#include "methods/linear/sparse_factor.h"

namespace raak {

template <class Scalar>
class NewtonMatrix {
 public:
  using Column = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  explicit NewtonMatrix(const Linearization& linear) : linear_(&linear) {
    const Eigen::Index size = linear.unknowns();
    if (linear.sparse() != nullptr) {
      sparse_.emplace(size);
    } else if (linear.split() != nullptr) {
      split_.emplace(*linear.split());
    } else {
      J_ = Dense::Zero(size, size);
      lu_ = Eigen::PartialPivLU<Dense>(size);
    }
  }

  void factor(Scalar wv, Scalar wq) {
    if (sparse_) {
      linear_->sparse()->entries(wv, wq, sparse_->entries());
      sparse_->factor();
    } else if (split_) {
      split_->factor(*linear_->split(), wv, wq);
    } else {
      linear_->assemble(wv, wq, J_);
      lu_.compute(J_);
    }
  }
  void solve(const Column& r, Column& x) const {
    if (sparse_) sparse_->solve(r, x);
    else if (split_) split_->solve(*linear_->split(), linear_->equations(), r, x);
    else x = lu_.solve(r);
  }

 private:
  using Dense = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  const Linearization* linear_;
  Dense J_;
  Eigen::PartialPivLU<Dense> lu_;
  std::optional<SparseFactor<Scalar>> sparse_;
  mutable std::optional<SplitFactors<Scalar>> split_;
};

}  // namespace raak

#include "methods/direct/newton_matrix.h"

namespace raak {

template <class Scalar>
NewtonMatrix<Scalar>::NewtonMatrix(const Linearization& linear) : linear_(&linear) {
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

template <class Scalar>
void NewtonMatrix<Scalar>::factor(Scalar wv, Scalar wq) {
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

template <class Scalar>
void NewtonMatrix<Scalar>::solve(const Column& r, Column& x) const {
  if (sparse_) sparse_->solve(r, x);
  else if (split_) split_->solve(*linear_->split(), linear_->equations(), r, x);
  else x = lu_.solve(r);
}

template class NewtonMatrix<double>;
template class NewtonMatrix<std::complex<double>>;

}  // namespace raak

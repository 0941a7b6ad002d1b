// Whether the rows of a large matrix are independent beyond doubt, or a symmetric one is positive definite, at a small
// part of the work of a rank or of eigenvalues: in the sparse factors L D L' of A A' with rows of unit length, D shows
// the squared distance of each row from those before it.
#pragma once
#include <Eigen/SparseCore>

#include "base/linear/linear.h"

namespace raak {

// Of a symmetric matrix with a diagonal of ones. False also where that is not clear.
bool is_clearly_positive(const Eigen::SparseMatrix<double>& A);

// False also where that is not clear, and of small matrices, whose rank is found as fast.
bool are_clearly_independent(const Matrix& A);

}  // namespace raak

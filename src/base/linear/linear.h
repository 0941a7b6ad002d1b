// Vectors and matrices of run-time size.
#pragma once
#include "base/linear/products.h"

namespace raak {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

}  // namespace raak

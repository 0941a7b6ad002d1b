// Vectors and matrices of run-time size.
#pragma once
#include <Eigen/Core>

namespace raak {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

}  // namespace raak

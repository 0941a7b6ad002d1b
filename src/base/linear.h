// Vectors and matrices of run-time size, and the norms used in reports.
#pragma once
#include <Eigen/Core>

namespace raak {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

}  // namespace raak

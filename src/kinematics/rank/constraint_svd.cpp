#include "kinematics/rank/constraint_svd.h"

#include <algorithm>
#include <cmath>

#include "base/linear/factors.h"

namespace raak {

BasisTurn::BasisTurn(Eigen::Index rows, Eigen::Index columns)
    : svd_(std::max<Eigen::Index>(rows, 1), std::max<Eigen::Index>(rows, 1)),
      product_(rows, rows),
      rotation_(rows, rows),
      turned_(rows, columns) {}

namespace {

bool points_backwards(const Matrix& basis, Eigen::Index row) {
  Eigen::Index largest = 0;
  basis.row(row).cwiseAbs().maxCoeff(&largest);
  return basis(row, largest) < 0.0;
}

}  // namespace

void BasisTurn::orient(Matrix& basis) {
  for (Eigen::Index i = 0; i < basis.rows(); ++i)
    if (points_backwards(basis, i)) basis.row(i) *= -1.0;
}

void BasisTurn::turn(Matrix& basis, const Matrix& towards) {
  if (basis.rows() == 0) return;
  product_.noalias() = towards * basis.transpose();
  svd_.compute(product_);
  rotation_.noalias() = svd_.left_vectors() * svd_.right_vectors().transpose();
  turned_.noalias() = rotation_ * basis;
  basis = turned_;
}

ConstraintSvd::ConstraintSvd(const ConstrainedSystem& system, double t, const Vector& q) {
  const Eigen::Index n = system.coordinates(), m = system.position_rows();
  VI = Matrix::Identity(n, n);
  VD.resize(0, n);
  if (m == 0) return;
  Matrix G(system.rows(), n);
  system.jacobian(t, q, G);
  const Svd svd(Matrix(G.topRows(m)));
  sigma = svd.singular_values();
  U = svd.left_vectors().transpose();
  VD = svd.right_vectors().leftCols(m).transpose();
  VI = svd.right_vectors().rightCols(n - m).transpose();
  for (Eigen::Index i = 0; i < m; ++i) {  // rows of U and V_D change their signs together
    if (!points_backwards(U, i)) continue;
    U.row(i) *= -1.0;
    VD.row(i) *= -1.0;
  }
  BasisTurn::orient(VI);
}

Matrix ConstraintSvd::diagonal() const {
  Matrix D = Matrix::Zero(sigma.size(), VD.cols());
  D.leftCols(sigma.size()).diagonal() = sigma;
  return D;
}

double ConstraintSvd::share_outside(const Matrix& basis, const Vector& v) const {
  if (VI.rows() == 0 || basis.rows() != VI.rows()) return 0.0;
  // The velocity along the constraints that the basis sees: w = V_I' x with basis w = basis v.
  const Vector seen = basis * v;
  const Vector along = solve_square(basis * VI.transpose(), seen);
  const double total = along.squaredNorm();
  return total > 0.0 ? std::max(0.0, 1.0 - seen.squaredNorm() / total) : 0.0;
}

}  // namespace raak

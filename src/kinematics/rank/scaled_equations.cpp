#include "kinematics/rank/scaled_equations.h"

#include "base/linear/factors.h"
#include "kinematics/rank/sparse_step.h"

namespace raak {

Vector tempered(const Vector& mass_diagonal) {
  constexpr double lightest = 1e-8;  // of the heaviest
  return mass_diagonal.cwiseMax(lightest * mass_diagonal.maxCoeff());
}

ScaledEquations::ScaledEquations(const ConstrainedSystem& system, double t, const Vector& q,
                                 const Matrix& constraint_rows, const Vector& constraint_residual,
                                 const std::vector<int>& trusted, const Vector& x, const Vector& wanted) {
  const Eigen::Index n = system.coordinates();
  const Eigen::Index m = constraint_rows.rows();
  const auto k = static_cast<Eigen::Index>(trusted.size());
  Matrix M(n, n);
  system.mass(t, q, M);
  column = tempered(M.diagonal()).cwiseSqrt().cwiseInverse();
  A = Matrix::Zero(m + k, n);
  residual.resize(m + k);
  A.topRows(m) = constraint_rows;
  residual.head(m) = constraint_residual;
  for (Eigen::Index i = 0; i < k; ++i) {
    const int j = trusted[static_cast<std::size_t>(i)];
    A(m + i, j) = 1.0;
    residual[m + i] = x[j] - wanted[j];
  }
  A = A * column.asDiagonal();
  row = A.rowwise().norm().cwiseMax(1e-300);
  A = row.cwiseInverse().asDiagonal() * A;
  residual = residual.cwiseQuotient(row);
}

Vector ScaledEquations::step() const {
  Eigen::CompleteOrthogonalDecomposition<Matrix> factors;
  factors.setThreshold(RankPolicy::zero);
  factors.compute(A);
  return -(column.asDiagonal() * factors.solve(residual));
}

Vector ScaledEquations::damped_step(double mu) const {
  if (A.cols() > many_unknowns) return -(column.asDiagonal() * sparse_damped_solution(A, residual, mu));
  Matrix normal = A.transpose() * A;
  normal.diagonal().array() += mu;
  return -(column.asDiagonal() * solve_symmetric(normal, A.transpose() * residual));
}

Vector ScaledEquations::step(const Svd& svd, double mu, double threshold) const {
  const Vector& sigma = svd.singular_values();
  Vector y = svd.left_vectors().leftCols(sigma.size()).transpose() * residual;
  for (Eigen::Index i = 0; i < sigma.size(); ++i)
    y[i] *= sigma[i] > threshold ? sigma[i] / (sigma[i] * sigma[i] + mu) : 0.0;
  return -(column.asDiagonal() * (svd.right_vectors().leftCols(sigma.size()) * y));
}

}  // namespace raak

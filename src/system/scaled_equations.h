// The equations of a consistent start in comparable units, and their rank.
#pragma once
#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <vector>

#include "base/svd.h"
#include "system/constrained_system.h"
#include "system/sparse_step.h"

namespace raak {

inline constexpr double rank_threshold = 1e-10;  // of the scaled Jacobian: smaller singular values count as zero

// What a coordinate weighs where ranks are judged. Ranks are a matter of geometry: beside a body that is lighter by
// twelve orders the others would seem not to move at all, and rows that tie it to them to be dependent.
inline Vector tempered(const Vector& mass_diagonal) {
  constexpr double lightest = 1e-8;  // of the heaviest
  return mass_diagonal.cwiseMax(lightest * mass_diagonal.maxCoeff());
}

// The matrix [Phi_q; B] of equations 4.1 and 4.5 in scaled variables x = diag(M)^(1/2) q, every row of unit length.
struct ScaledEquations {
  Matrix A;         // rows of unit length
  Vector residual;  // of the same rows
  Vector row;       // length of each row before scaling
  Vector column;    // 1 / sqrt(M_jj)

  ScaledEquations(const ConstrainedSystem& system, double t, const Vector& q, const Matrix& constraint_rows,
                  const Vector& constraint_residual, const std::vector<int>& trusted, const Vector& x,
                  const Vector& wanted) {
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
  // Step of the unscaled unknowns by Gauss and Newton, the shortest one.
  Vector step() const {
    Eigen::CompleteOrthogonalDecomposition<Matrix> factors;
    factors.setThreshold(rank_threshold);
    factors.compute(A);
    return -(column.asDiagonal() * factors.solve(residual));
  }
  // By Levenberg and Marquardt, mu > 0.
  Vector damped_step(double mu) const {
    if (A.cols() > many_unknowns) return -(column.asDiagonal() * sparse_damped_solution(A, residual, mu));
    Matrix normal = A.transpose() * A;
    normal.diagonal().array() += mu;
    return -(column.asDiagonal() * normal.ldlt().solve(A.transpose() * residual));
  }
  // The same by singular values; mu = 0 is Gauss-Newton.
  Vector step(const Svd& svd, double mu, double threshold = rank_threshold) const {
    const Vector& sigma = svd.singular_values();
    Vector y = svd.left_vectors().leftCols(sigma.size()).transpose() * residual;
    for (Eigen::Index i = 0; i < sigma.size(); ++i)
      y[i] *= sigma[i] > threshold ? sigma[i] / (sigma[i] * sigma[i] + mu) : 0.0;
    return -(column.asDiagonal() * (svd.right_vectors().leftCols(sigma.size()) * y));
  }
};

// By a pivoted QR, a small part of the work of an SVD, where the rank serves messages only.
inline Eigen::Index quick_rank(const Matrix& A) {
  if (A.size() == 0) return 0;
  Eigen::ColPivHouseholderQR<Matrix> qr(A);
  qr.setThreshold(rank_threshold);
  return qr.rank();
}

// With a wide margin.
inline bool has_independent_rows(const Matrix& A) {
  constexpr double clear = 1e-3;
  if (A.rows() == 0 || A.rows() > A.cols()) return false;
  const Eigen::ColPivHouseholderQR<Matrix> qr(A.transpose());
  const auto diagonal = qr.matrixR().diagonal().cwiseAbs().eval();
  return diagonal[A.rows() - 1] > clear * diagonal[0];
}

}  // namespace raak

// The equations of a consistent start in comparable units, and their rank.
#pragma once
#include <vector>

#include "base/linear/svd.h"
#include "system/constrained_system.h"

namespace raak {

inline constexpr double rank_threshold = 1e-10;  // of the scaled Jacobian: smaller singular values count as zero

// What a coordinate weighs where ranks are judged. Ranks are a matter of geometry: beside a body that is lighter by
// twelve orders the others would seem not to move at all, and rows that tie it to them to be dependent.
Vector tempered(const Vector& mass_diagonal);

// The matrix [Phi_q; B] of equations 4.1 and 4.5 in scaled variables x = diag(M)^(1/2) q, every row of unit length.
struct ScaledEquations {
  Matrix A;         // rows of unit length
  Vector residual;  // of the same rows
  Vector row;       // length of each row before scaling
  Vector column;    // 1 / sqrt(M_jj)

  ScaledEquations(const ConstrainedSystem& system, double t, const Vector& q, const Matrix& constraint_rows,
                  const Vector& constraint_residual, const std::vector<int>& trusted, const Vector& x,
                  const Vector& wanted);
  // Step of the unscaled unknowns by Gauss and Newton, the shortest one.
  Vector step() const;
  // By Levenberg and Marquardt, mu > 0.
  Vector damped_step(double mu) const;
  // The same by singular values; mu = 0 is Gauss-Newton.
  Vector step(const Svd& svd, double mu, double threshold = rank_threshold) const;
};

// By a pivoted QR, a small part of the work of an SVD, where the rank serves messages only.
Eigen::Index quick_rank(const Matrix& A);

// With a wide margin.
bool has_independent_rows(const Matrix& A);

}  // namespace raak

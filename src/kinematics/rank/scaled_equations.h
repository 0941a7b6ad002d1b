// The equations of a consistent start in comparable units, and their rank.
#pragma once
#include <vector>

#include "base/linear/svd.h"
#include "kinematics/rank/rank_policy.h"
#include "system/constrained_system.h"

namespace raak {

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
  Vector step(const Svd& svd, double mu, double threshold = RankPolicy::zero) const;
};

}  // namespace raak

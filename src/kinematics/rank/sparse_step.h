// Damped least squares of equations that each speak of a few unknowns only, as joints speak of the bodies they tie: the
// normal equations (A'A + mu) x = A'b factorized in their sparse form (Davis, Direct Methods for Sparse Linear Systems,
// 2006, chapter 4).
#pragma once
#include "base/linear/linear.h"

namespace raak {

inline constexpr Eigen::Index many_unknowns = 60;  // from here on dense factors take longer

// mu > 0.
Vector sparse_damped_solution(const Matrix& A, const Vector& b, double mu);

}  // namespace raak

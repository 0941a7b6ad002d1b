#include "api/equations/dense_motion.h"

#include <limits>

#include "base/linear/factors.h"

namespace raak_v0::detail {

using core::Matrix;
using core::Vector;

double solve_near_singular(const Matrix& M, const Matrix& G, const Vector& f, const Vector& bias, Vector& a,
                           Vector& lambda) {
  const Eigen::LLT<Matrix> mass(M);
  a = mass.solve(f);
  if (G.rows() == 0) return 1.0;
  const Matrix X = mass.solve(G.transpose());  // M^-1 G'
  Matrix S = G * X;
  const Vector scale = S.diagonal().cwiseAbs().cwiseMax(std::numeric_limits<double>::min()).cwiseSqrt().cwiseInverse();
  S = scale.asDiagonal() * S * scale.asDiagonal();
  const Eigen::LDLT<Matrix> factors(S);
  lambda = scale.asDiagonal() * factors.solve(scale.asDiagonal() * (G * a - bias));
  a -= X * lambda;
  return factors.vectorD().cwiseAbs().minCoeff();
}

}  // namespace raak_v0::detail

// The size of an error estimate in units of what the user allows: at most 1 is acceptable.
#pragma once
#include <algorithm>
#include <cmath>

#include "methods/method.h"

namespace raak {

// max_i |e_i| / (atol_i + rtol max(|x_i|, |y_i|)); not finite if anything is.
inline double weighted_error(const Vector& e, const Vector& x, const Vector& y, const Tolerance& tolerance) {
  double worst = 0.0;
  for (Eigen::Index i = 0; i < e.size(); ++i) {
    const double allowed = tolerance.absolute(i) + tolerance.rtol * std::max(std::abs(x[i]), std::abs(y[i]));
    const double ratio = std::abs(e[i]) / allowed;
    if (!(ratio <= worst)) worst = ratio;  // keeps a NaN
    if (std::isnan(worst)) return worst;
  }
  return worst;
}
// The larger one of errors of q and v, beside their sizes at two states.
inline double weighted_error(const Vector& e_q, const Vector& e_v, const State& x, const State& y,
                             const Tolerances& tolerances) {
  return std::max(weighted_error(e_q, x.q, y.q, tolerances.q), weighted_error(e_v, x.v, y.v, tolerances.v));
}

}  // namespace raak

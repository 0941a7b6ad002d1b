#include "methods/control/first_step.h"

#include <algorithm>
#include <cmath>

#include "methods/control/error_norm.h"

namespace raak {

double choose_first_step(const ConstrainedSystem& system, const State& start, double until, int p,
                         const Tolerances& tolerances, Statistics& statistics) {
  const double span = until - start.t;
  const auto size = [&](const Vector& q, const Vector& v) { return weighted_error(q, v, start, start, tolerances); };
  const double d0 = size(start.q, start.v);
  const double d1 = size(start.v, start.a);
  const double shortest = 1e-6 * std::abs(span);  // where sizes or rates of zero give no time
  double h = d0 < 1e-10 || d1 < 1e-10 / std::abs(span) ? shortest : 0.01 * d0 / d1;
  h = std::copysign(std::min(h, std::abs(span)), span);
  State near = start;
  near.t += h;
  near.q += h * start.v;
  near.v += h * start.a;
  update_accelerations(system, near);
  ++statistics.evaluations;
  const double d2 = size(near.v - start.v, near.a - start.a) / std::abs(h);
  const double largest = std::max(d1, d2);
  const double h1 =
      !(largest > 1e-15 / std::abs(span)) ? std::max(shortest, std::abs(h) * 1e-3) : std::pow(0.01 / largest, 1.0 / p);
  return std::copysign(std::min({100.0 * std::abs(h), h1, std::abs(span)}), span);
}

}  // namespace raak

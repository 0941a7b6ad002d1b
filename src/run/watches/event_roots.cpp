// Where a function of time is zero, by the ITP method (Oliveira and Takahashi, ACM Trans. Math. Softw. 47 (2021) 5).
#include <algorithm>
#include <cmath>

#include "run/watches/events.h"

namespace raak {

// The three steps of ITP with kappa1 = 0.2 / |b - a|, kappa2 = 2, n0 = 1: interpolation by regula falsi, truncation
// towards the middle, projection onto the interval that bisection would allow.
double find_root(const std::function<double(double)>& value, double a, double value_a, double b, double value_b,
                 double tolerance) {
  if (value_a == 0.0) return a;
  if (value_b == 0.0) return b;
  const double kappa = 0.2 / std::abs(b - a);
  const double halvings = std::ceil(std::log2(std::max(1.0, std::abs(b - a) / (2.0 * tolerance)))) + 1.0;
  for (int j = 0; std::abs(b - a) > 2.0 * tolerance; ++j) {
    const double middle = 0.5 * (a + b);
    if (middle == a || middle == b) break;
    const double width = std::abs(b - a);
    const double radius = std::max(0.0, tolerance * std::exp2(halvings - j) - 0.5 * width);
    const double falsi = (value_b * a - value_a * b) / (value_b - value_a);
    const double away = middle - falsi;
    const double truncation = kappa * width * width;
    const double truncated = truncation <= std::abs(away) ? falsi + std::copysign(truncation, away) : middle;
    double x = std::abs(truncated - middle) <= radius ? truncated : middle - std::copysign(radius, away);
    if (!(x > std::min(a, b) && x < std::max(a, b))) x = middle;
    const double y = value(x);
    if (y == 0.0) return x;
    if ((y < 0.0) == (value_a < 0.0)) {
      a = x;
      value_a = y;
    } else {
      b = x;
      value_b = y;
    }
  }
  return 0.5 * (a + b);
}

double first_zero(const std::function<double(double)>& value, double a, double b, double tolerance) {
  if (value(b - std::copysign(tolerance, b - a)) != 0.0) return b;
  while (std::abs(b - a) > tolerance) {
    const double middle = 0.5 * (a + b);
    if (middle == a || middle == b) break;
    (value(middle) == 0.0 ? b : a) = middle;
  }
  return b;
}

}  // namespace raak

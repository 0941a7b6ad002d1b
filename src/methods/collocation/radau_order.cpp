// Whether four or eight stages pay for the steps of Radau.
#include <algorithm>
#include <cmath>

#include "methods/collocation/radau.h"

namespace raak {
namespace {

constexpr double cost_of_eight = 1.9;  // of a step, in units of one with four stages

}  // namespace

// max_d weight[d] |coefficient k| of the attempt.
double Radau::size_of_coefficient(int k) const {
  double size = 0.0;
  for (int d = 0; d < system_.coordinates(); ++d)
    size = std::max(size, control_.weight()[d] * std::abs(next_series_[stages_ * d + k]));
  return size;
}

// Compares the steps that both rules would take for their cost. What eight stages would find beyond the fourth
// coefficient is extrapolated.
int Radau::better_stages(double factor) const {
  constexpr double gain = 1.5;
  const double third = std::max(size_of_coefficient(3), 0.1 * size_of_coefficient(2));
  if (stages_ == 8) {
    const double four = control_.factor_for_last(third, 4);
    return cost_of_eight * four > gain * factor ? 4 : 8;
  }
  const double first = std::max(size_of_coefficient(1), 1e-300);
  const double ratio = std::min(third / first, 1.0);
  const double eight = control_.factor_for_last(third * ratio * ratio, 8);
  return eight > gain * cost_of_eight * factor ? 8 : 4;
}

}  // namespace raak

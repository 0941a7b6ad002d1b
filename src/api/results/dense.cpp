#include "api/results/dense.h"

#include <cmath>
#include <numbers>

namespace raak_v0::detail {

std::array<double, DenseStep::points> DenseStep::times(double from, double to) {
  std::array<double, points> all{};
  for (int i = 0; i < points; ++i)
    all[static_cast<std::size_t>(i)] = from + (to - from) * (0.5 - 0.5 * std::cos(std::numbers::pi * i / (points - 1)));
  all.front() = from;
  all.back() = to;
  return all;
}

core::Vector DenseStep::at(double t) const {
  const std::array<double, points> all = times(from_, to_);
  core::Vector weights(points);
  for (int i = 0; i < points; ++i) {
    const double distance = t - all[static_cast<std::size_t>(i)];
    if (distance == 0.0) return values_.col(i);
    weights[i] = (i % 2 == 0 ? 1.0 : -1.0) * (i == 0 || i == points - 1 ? 0.5 : 1.0) / distance;
  }
  return values_ * weights / weights.sum();
}

}  // namespace raak_v0::detail

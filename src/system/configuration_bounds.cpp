#include "system/configuration_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace raak {
namespace {

constexpr double farthest = 1e3;     // sizes from the configuration that was given
constexpr double closed_gap = 1e-7;  // of the size; a search that ends well leaves far less
constexpr double rounding = 16.0 * std::numeric_limits<double>::epsilon();  // of the largest coordinate

}  // namespace

double ConfigurationBounds::distance(const Vector& q) const {
  if (!(size > 0.0)) return 0.0;
  double way = 0.0;
  for (const int i : coordinates) way = std::max(way, std::abs(q[i] - given[i]));
  return way / size;
}

bool ConfigurationBounds::are_near(const Vector& q) const {
  return distance(q) <= farthest;
}

bool ConfigurationBounds::are_closed(const Vector& q, const Vector& gaps) const {
  if (!(size > 0.0)) return true;
  const double closed = closed_gap * size + rounding * q.cwiseAbs().maxCoeff();
  return std::all_of(rows.begin(), rows.end(), [&](int row) { return std::abs(gaps[row]) <= closed; });
}

}  // namespace raak

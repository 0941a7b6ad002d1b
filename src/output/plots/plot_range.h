// Which range of values a diagram shows. A run that diverges ends with values that dwarf all others: its axis shows
// what was before. The report has the same rule (web/src/charts/range.ts).
#pragma once
#include <cmath>
#include <limits>

#include "output/plots/plot_curve.h"

namespace raak {

struct ValueRange {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

  void reach(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void reach(const ValueRange& other) {
    reach(other.low);
    reach(other.high);
  }
  double span() const { return low <= high ? high - low : 0.0; }
};

struct View {
  ValueRange shown, all;
  double leaves = std::numeric_limits<double>::quiet_NaN();  // s, from when values lie outside; nan: none do

  bool cuts() const { return !std::isnan(leaves); }
};

// Everything, unless the curve diverges: unless it has, in the last tenth of the time, 20 times the range that it had
// before, and grows to the very end (by a fifth in the last hundredth of the time). Then three times the range before.
// What was constant before has no range to show, so that a late pulse is not cut.
View default_view(const Curve& curve);

}  // namespace raak

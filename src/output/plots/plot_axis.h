// An axis of a diagram: from values to places, with marks at round numbers, of angles in one turn at quarters of it, or
// at powers of ten.
#pragma once
#include <string>
#include <vector>

#include "output/plots/plot_range.h"

namespace raak {

struct Axis {
  double from = 0.0, to = 1.0, step = 0.25;
  double start = 0.0, end = 1.0;  // in pixels
  bool turn = false;              // from -pi to pi
  bool powers = false;            // values are powers of ten

  double place(double value) const { return start + (end - start) * ((value - from) / (to - from)); }
  std::string text(double value) const;
  std::vector<double> marks() const;
};

// `round_ends`: from mark to mark.
Axis axis_over(ValueRange range, double ticks, bool round_ends, double start, double end);
Axis axis_of_a_turn(double start, double end);
Axis axis_of_powers(ValueRange range, double ticks, double start, double end);

}  // namespace raak

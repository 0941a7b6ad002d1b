// The length of steps as a run sees it: whether they lead to its end, which it looks at now and then, and which one to
// try next where their length is fixed.
#pragma once
#include <algorithm>
#include <cmath>

namespace raak {

// Whether the steps are so short that the end is out of reach: far out of it, or for a while, since short steps may
// grow again.
struct Pace {
  static constexpr long steps_of_a_look = 10'000;  // after which the pace tells whether the budget will do
  double looked_at;
  long next_look = steps_of_a_look;
  double mean_step = 0.0;
  int slow_looks = 0;

  bool is_hopeless(double t, double until, long steps_left) {
    constexpr double far = 20.0;
    constexpr int while_looked = 5;
    mean_step = std::abs(t - looked_at) / static_cast<double>(steps_of_a_look);
    looked_at = t;
    next_look += steps_of_a_look;
    const double reached = mean_step * static_cast<double>(steps_left);
    const double left = std::abs(until - t);
    slow_looks = left > reached ? slow_looks + 1 : 0;
    return left > far * reached || slow_looks >= while_looked;
  }
};

// A method that builds up its order comes to the end of the first step by much shorter ones that grow: else the error
// of its first step, which is of order 1, would be that of the whole run.
inline double next_fixed_step(double step, double elapsed, bool starts_at_order_one) {
  constexpr double shortest = 1e-5;
  constexpr double growth = 0.2;  // of a step over the one before: formulas of high order bear no more
  constexpr double almost = 1.0 - 1e-9;
  if (!starts_at_order_one || elapsed >= almost * step) return step;
  return std::min(std::max(growth * elapsed, shortest * step), step - elapsed);
}

}  // namespace raak

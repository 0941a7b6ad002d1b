// Whether a run will come to its end: looks at the mean length of the last steps now and then.
#pragma once
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

}  // namespace raak

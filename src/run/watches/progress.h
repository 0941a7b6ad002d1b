// Whether a run gets on: the pace, number and length of its steps, and whether the motion runs away or into a dead
// position, which is looked at now and then.
#pragma once
#include <algorithm>
#include <cmath>

#include "run/warnings/error_growth.h"
#include "run/watches/turn_watch.h"
#include "run/watches/watch.h"

namespace raak {

// Whether the steps are so short that the end is out of reach: far out of it, or for a while, since short steps may
// grow again.
struct Pace {
  static constexpr long steps_of_a_look = 10'000;  // after which the pace shows whether the budget will do
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

class ProgressWatch final : public Watch {
 public:
  // `turns` and `errors` may be null.
  ProgressWatch(double t, TurnWatch* turns, const ErrorGrowth* errors) : pace_{t}, turns_(turns), errors_(errors) {}

  void before_step(RunState& run) override;
  void after_attempt(RunState& run, Attempt& attempt) override;

  void visit_state(Archive& archive) override {
    archive(pace_, next_growth_look_, has_grown_, next_lock_look_, seems_locked_);
    scratch(turns_, errors_);
  }

 private:
  // Ends the run, unless what seemed to be a dead position is none.
  void judge(RunState& run, bool is_hopeless, bool is_spent, bool is_short);

  Pace pace_;
  TurnWatch* turns_;
  const ErrorGrowth* errors_;
  long next_growth_look_ = 0;  // steps
  long next_lock_look_ = 0;    // steps
  bool has_grown_ = false;
  bool seems_locked_ = false;  // by its velocities and steps
};

}  // namespace raak

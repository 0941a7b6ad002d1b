// A method that solves its stages by fixed-point sweeps, and what the sweeps show of the system.
#pragma once
#include <algorithm>
#include <cmath>

#include "methods/method.h"

namespace raak {

// What the sweeps of the last acceptable attempt say of stiffness.
struct SweepRecord {
  int sweeps = 0;
  double contraction = 0.0;  // of the changes from sweep to sweep
  double wish = 1.0;         // the step that accuracy alone would allow, in units of the one that contraction allows
  bool diverged = false;     // of the last attempt, acceptable or not
  // The smallest squared sine of the angle between constraint rows at a stage; 1 where the method does not report it.
  double weakest_rows = 1.0;
};

class FixedPointMethod : public Integrator {
 public:
  const SweepRecord& sweep_record() const { return record_; }
  // Since begin(): whether the system itself evaluates what the sweeps need, four states at a time.
  virtual bool is_fast() const { return true; }
  virtual DecayControl& control() = 0;
  DecayControl* decay_control() override { return &control(); }
  double constraint_strength() const override { return std::sqrt(std::max(0.0, record_.weakest_rows)); }

 protected:
  SweepRecord record_;
};

}  // namespace raak

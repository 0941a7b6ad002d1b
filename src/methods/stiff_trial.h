// Whether radau should be tried instead of fixed-point sweeps, and whether it has served. Over stiff springs the sweeps
// of loose tolerances follow vibrations that nobody asked for, or are so few that each step looks cheap: what tells is
// that they contract badly on average. Whether Newton corrections are worth their matrices is found by trying.
#pragma once
#include "methods/fixed_point_method.h"
#include "system/constrained_system.h"

namespace raak {

class StiffTrial {
 public:
  void begin(const ConstrainedSystem& system, const Statistics& now);
  // A step of this length was accepted.
  void add_step(double length, bool by_sweeps, const Statistics& now);
  // After a step by sweeps: whether a trial is worth its work.
  bool is_due(const SweepRecord& record);
  // From here radau steps; `as_trial` after the sweeps have taken steps of length h.
  void change_to_radau(bool as_trial, double h);
  void change_to_sweeps();
  // After a step of radau: whether a trial has ended, and was slower than the sweeps.
  bool is_lost();
  // The step of the sweeps before the trial.
  double swept_step() const { return swept_h_; }
  // Whether radau was worth its work when it was used last.
  bool has_served() const { return served_; }

 private:
  double work_of_trial() const;

  double work_of_factors_ = 0.0;               // in evaluations
  long evaluations_ = 0, factorizations_ = 0;  // when the last step was accepted
  double work_ = 0.0;                          // done until then, in evaluations
  double way_ = 0.0, recent_work_ = 0.0;       // of the method in use, weighed over the last steps
  double contraction_ = 0.0;                   // of the sweeps, weighed over the last steps
  double swept_pace_ = 0.0, swept_h_ = 0.0;    // of the sweeps before the trial; 0: no trial goes on
  double next_ = 0.0;                          // no trial before so much work
  int steps_ = 0;                              // of this trial
  bool served_ = false;
};

}  // namespace raak

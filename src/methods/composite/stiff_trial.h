// Whether radau should be tried instead of fixed-point sweeps, and whether it has paid. Over stiff springs the sweeps
// of loose tolerances follow vibrations that nobody asked for, or are so few that each step looks cheap: what counts is
// that they contract badly on average. Whether Newton corrections are worth their matrices is found by trying, whatever
// the reason for it: both sides are compared by how far they get with the same work. Work is counted in evaluations of
// the accelerations, the operations of matrices and factors converted by what an evaluation takes; it is never
// measured, since a run must take the same decisions every time. A trial takes a share of the work before it, so that
// those that are lost add little to a run, however large the matrices are.
#pragma once
#include "methods/collocation/radau.h"
#include "methods/multistep/fixed_point_method.h"
#include "system/constrained_system.h"

namespace raak {

class StiffTrial {
 public:
  // `renewal`: cycles of a linearization with its factors.
  void begin(const ConstrainedSystem& system, const State& start, double renewal, const Statistics& now);
  // A step of this length was accepted; `newton_work`: of radau so far.
  void add_step(double length, bool by_sweeps, const NewtonWork& newton_work, const Statistics& now);
  // After a step by sweeps, with so many seconds left: whether a trial is worth its work.
  bool is_due(const SweepRecord& record, double left);
  // Whether the sweeps have done a third of what the shortest trial takes, since steps may look stiff at a start that
  // is not, and will do as much as it takes until the run ends: then one that is lost does not double the work of the
  // run.
  bool can_afford(double left) const;
  // From here radau steps, after the sweeps have taken steps of length h.
  void change_to_radau(bool looks_stiff, double h);
  // From here the sweeps; `lost`: after a trial that they have won.
  void change_to_sweeps(bool lost);
  bool goes_on() const { return swept_pace_ > 0.0; }
  // After a step of radau: whether a trial has ended, and was slower than the sweeps.
  bool is_lost();
  // After a step by sweeps, with so many seconds left: whether they have had their time after radau, and were slower.
  bool sweeps_have_lost(double left);
  // Whether sweeps that contract by `contraction` at the steps of radau, and take `enough` as nothing, would get
  // clearly further with the same work.
  bool sweeps_would_serve(double contraction, double enough, int stages, int stages_of_radau) const;
  // The last step of radau before the sweeps took over, s; 0: there was none.
  double newton_step() const { return newton_length_; }
  // The step of the sweeps before the trial.
  double swept_step() const { return swept_h_; }
  // Whether radau was worth its work when it was used last.
  bool has_paid() const { return paid_; }

  void visit_state(Archive& archive) {
    archive(cycles_, price_, newton_work_, evaluations_, work_, way_, recent_work_, recent_steps_, last_length_);
    archive(contraction_, wish_, sweeps_, limited_, swept_pace_, swept_h_, newton_pace_, next_, least_ratio_, budget_,
            steps_);
    archive(swept_, paid_, confirms_, length_before_, began_, newton_length_, many_sweeps_);
  }

 private:
  // Work of the method in use until so many seconds have passed, if it goes on as it does.
  double would_take(double left) const { return recent_work_ / way_ * left; }
  double work_of_step() const { return recent_work_ / recent_steps_; }
  void forget_steps();
  void end_trial();

  double cycles_ = 1.0;       // of an evaluation
  double price_ = 0.0;        // of the shortest trial
  double many_sweeps_ = 0.0;  // of a step, that may be a sign of stiffness
  NewtonWork newton_work_;
  long evaluations_ = 0;                  // when the last step was accepted
  double work_ = 0.0;                     // done until then, in evaluations
  double way_ = 0.0, recent_work_ = 0.0;  // of the method in use, weighed over the last steps
  double recent_steps_ = 0.0;             // weighed the same
  double length_before_ = 0.0;            // of the last step but one
  double began_ = 0.0;                    // the work done when the method in use took over
  double newton_length_ = 0.0;            // of the last step of radau before the sweeps took over
  double last_length_ = 0.0;              // of a step
  double contraction_ = 0.0;              // of the sweeps, weighed over the last steps
  double wish_ = 1.0;                     // the step that accuracy allows, in units of the one taken, weighed the same
  double sweeps_ = 0.0;                   // of a step, weighed the same
  double limited_ = 0.0;                  // share of the steps that contraction limits, weighed the same
  double swept_pace_ = 0.0, swept_h_ = 0.0;  // of the sweeps before the trial; 0: no trial goes on
  double newton_pace_ = 0.0;                 // of radau before the sweeps took over; 0: it is not compared
  double next_ = 0.0;                        // no trial before so much work
  double least_ratio_ = 0.0;                 // of the paces: below it the trial is lost
  double budget_ = 0.0;                      // the trial ends when so much work is done
  int steps_ = 0;                            // of this trial
  int swept_ = 0;                            // steps by sweeps so far
  bool paid_ = false;
  bool confirms_ = false;  // radau was faster, and has to stay so
};

}  // namespace raak

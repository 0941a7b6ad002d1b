// The generalized-alpha method on the index-3 or the stabilised index-2 (ggl) equations:
//   q1 = q0 + h v0 + h^2 (1/2 - beta) a0 + h^2 beta a1,    v1 = v0 + h (1 - gamma) a0 + h gamma a1,
//   (1 - alpha_m) a1 + alpha_m a0 = (1 - alpha_f) v1' + alpha_f v0',    M v1' + G' lambda1 = f,  0 = g(t1, q1),
// of order 2. J. Chung and G. Hulbert, J. Appl. Mech. 60 (1993); M. Arnold and O. Bruls, Multibody Syst. Dyn. 18
// (2007). The auxiliary a belongs to the time t + (alpha_m - alpha_f) h: it is kept as v' plus h times a jerk, so that
// it stays right when h changes (M. Arnold, O. Bruls and A. Cardona, Numer. Math. 129, 2015, for why the start must be
// right too). The local errors are (1/6 - beta - (alpha_m - alpha_f)/2) h^3 v'' in q and a like multiple of h^3 v''' in
// v.
#pragma once
#include "methods/collocation/implicit_stage.h"

namespace raak {

class GeneralizedAlpha final : public Integrator {
 public:
  // What the method holds of a step's error stays at this tolerance where less is asked for: its many short steps
  // magnify rounding errors.
  static constexpr double rounding_floor = 5e-9;

  GeneralizedAlpha(const ConstrainedSystem& system, Form form, const Tolerances& tolerances);

  double begin(const State& start, double until) override;
  Attempt attempt(double to) override;
  double accept() override;
  const State& current() const override { return now_; }
  const State& attempted() const override { return next_; }
  void interpolate(double t, Vector& q, Vector& v) override;
  int order() const override { return 2; }

  void visit_state(Archive& archive) override {
    archive.name("generalized-alpha");
    archive(stage_, now_, next_, before_, jerk_, next_jerk_, auxiliary_, change_, next_change_, smooth_, next_smooth_);
    archive(lambda_, next_h_, just_rejected_);
    scratch(system_, tolerances_, share_of_step_, positions_only_, q_base_, v_base_, e_q_, e_v_);
  }

 private:
  double error_of_step(double h);

  const ConstrainedSystem& system_;
  Tolerances tolerances_;
  ImplicitStage stage_;
  double share_of_step_;
  bool positions_only_;  // index3
  State now_, next_, before_;
  Vector jerk_, next_jerk_;      // (a - v') / ((alpha_m - alpha_f) h)
  Vector auxiliary_;             // a at the start of the step
  Vector change_, next_change_;  // v'' as the difference of v' over the last step
  // In the index-3 form v' carries the correction of the last velocity error across the constraints: errors are judged
  // by the accelerations of the index-1 equations, and steps grow slowly.
  Vector smooth_, next_smooth_, lambda_;
  Vector q_base_, v_base_, e_q_, e_v_;
  double next_h_ = 0.0;
  bool just_rejected_ = false;
};

}  // namespace raak

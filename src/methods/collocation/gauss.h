// Gauss collocation of order 2s on the index-1 equations, its s = 4 or 8 stages in SIMD lanes: fixed-point sweeps for
// the accelerations of the stages, predicted by the Legendre series of the step before; projection at the end of the
// step. Hairer, Norsett and Wanner I, section II.7, and II, section IV.8; step control: decay_control.h.
#pragma once
#include <memory>

#include "methods/charts/chart.h"
#include "methods/collocation/dense_collocation.h"
#include "methods/control/decay_control.h"
#include "methods/multistep/fixed_point_method.h"

namespace raak {

template <int s>
class Gauss final : public FixedPointMethod {
 public:
  Gauss(const ConstrainedSystem& system, Form form, const Tolerances& tolerances);

  double begin(const State& start, double until) override;
  bool may_begin_again() const override { return !fixed_steps_; }
  void resume(const State& state, double until) override;
  Attempt attempt(double to) override;
  double accept() override;
  double time() const override { return now_.t; }
  const State& current() const override;
  const State& motion() const override { return now_; }
  const State& attempted() const override { return next_; }
  void interpolate(double t, Vector& q, Vector& v) override;
  bool before_projection(Vector& q, Vector& v) const override { return chart_.before_projection(q, v); }
  DecayControl& control() override { return control_; }
  int order() const override { return 2 * s; }

  void visit_state(Archive& archive) override {
    archive.name("gauss");
    archive(record_, chart_, control_, stages_, now_, accelerations_known_, next_, before_, series_, next_series_);
    archive(fine_series_, end_q_, end_v_, raw_q_, raw_v_, series_h_, next_h_, done_h_);
    archive(have_series_, dense_ready_, just_rejected_);
    scratch(system_, fine_);
  }

 private:
  bool solve_stages(double h);
  void prepare_dense();

  const ConstrainedSystem& system_;
  ProjectedChart chart_;
  DecayControl control_;
  StageLanes<s> stages_;
  std::unique_ptr<StageLanes<2 * s>> fine_;  // for the dense output, made when it is asked for
  mutable State now_;                        // its a and lambda are found when asked for
  mutable bool accelerations_known_ = true;
  State next_, before_;
  LaneArray series_, next_series_;  // of the accelerations of the last accepted step and of the attempt
  LaneArray fine_series_;
  Vector end_q_, end_v_;  // what the dense output lacks at the end of the step
  Vector raw_q_, raw_v_;  // the end of the attempt before it is brought back to the constraints
  double series_h_ = 0.0, next_h_ = 0.0, done_h_ = 0.0;
  bool have_series_ = false, dense_ready_ = false, just_rejected_ = false;
};

bool pays_order_sixteen(const Tolerances& tolerances);
std::unique_ptr<FixedPointMethod> make_gauss(const ConstrainedSystem& system, Form form, const Tolerances& tolerances);

}  // namespace raak

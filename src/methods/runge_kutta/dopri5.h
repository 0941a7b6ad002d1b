// The explicit Runge-Kutta pair 5(4) of Dormand and Prince (J. Comp. Appl. Math. 6, 1980) on the index-1 equations q' =
// v, v' = a(t, q, v), with dense output of order 4 (Hairer, Norsett and Wanner I, sections II.5 and II.6). A chart
// keeps the result on the constraints; the evaluation that serves as first stage of the next step comes after it.
#pragma once
#include <memory>

#include "methods/charts/chart.h"
#include "methods/collocation/fifth_order_control.h"
#include "methods/runge_kutta/refined_step.h"

namespace raak {

class Dopri5 final : public Integrator {
 public:
  Dopri5(const ConstrainedSystem& system, std::unique_ptr<Chart> chart, const Tolerances& tolerances);

  double begin(const State& start, double until) override;
  Attempt attempt(double to) override;
  double accept() override;
  const State& current() const override { return now_; }
  const State& attempted() const override { return next_; }
  void interpolate(double t, Vector& q, Vector& v) override;
  bool before_projection(Vector& q, Vector& v) const override { return chart_->before_projection(q, v); }
  int order() const override { return 5; }
  const IndependentCoordinates* independent_coordinates() const override { return chart_->independent_coordinates(); }
  void use_partitions(const PartitionRequest& request) override { chart_->use_partitions(request); }

  void visit_state(Archive& archive) override {
    archive.name("dopri5");
    archive(*chart_, now_, next_, before_, kq_, kv_, dense_q_, dense_v_, refined_, control_, lambda_);
    scratch(system_, tolerances_, q_, v_, e_q_, e_v_);
  }

 private:
  void interpolate_own(double t, Vector& q, Vector& v) const;
  void combine(int i, double h, Vector& q, Vector& v) const;
  double error_of_step(double h);

  const ConstrainedSystem& system_;
  std::unique_ptr<Chart> chart_;
  Tolerances tolerances_;
  State now_, next_, before_;  // before_: start of the last accepted step
  Matrix kq_, kv_;             // stage derivatives of q and v, one column each
  Matrix dense_q_, dense_v_;   // the five terms of the dense output of the last accepted step
  Vector q_, v_, lambda_, e_q_, e_v_;
  RefinedStep refined_;
  FifthOrderControl control_;
};

}  // namespace raak

// The explicit Runge-Kutta method of order 8 of Dormand and Prince on the index-1 equations q' = v, v' = a(t, q, v),
// with error estimates of order 5 and 3 and dense output of order 7, refined to that of the step (Hairer, Norsett and
// Wanner I, sections II.5 and II.6). A chart keeps the result on the constraints; the evaluation that serves as first
// stage of the next step comes after it.
#pragma once
#include <memory>

#include "methods/charts/chart.h"
#include "methods/runge_kutta/dop853_table.h"
#include "methods/runge_kutta/refined_step.h"

namespace raak {

class Dop853 : public Integrator {
 public:
  Dop853(const ConstrainedSystem& system, std::unique_ptr<Chart> chart, const Tolerances& tolerances);

  double begin(const State& start, double until) override;
  Attempt attempt(double to) override;
  double accept() override;
  const State& current() const override { return now_; }
  const State& attempted() const override { return next_; }
  void interpolate(double t, Vector& q, Vector& v) override;
  bool before_projection(Vector& q, Vector& v) const override { return chart_->before_projection(q, v); }
  int order() const override { return 8; }
  const IndependentCoordinates* independent_coordinates() const override { return chart_->independent_coordinates(); }
  void use_partitions(const PartitionRequest& request) override { chart_->use_partitions(request); }

  void visit_state(Archive& archive) override {
    archive.name("dop853");
    archive(*chart_, now_, next_, before_, kq_, kv_, done_kq_, done_kv_, dense_q_, dense_v_, refined_, done_h_,
            next_h_);
    archive(scale_, dense_ready_, just_rejected_, lambda_);
    scratch(system_, tolerances_, q_, v_, e5_q_, e5_v_, e3_q_, e3_v_);
  }

 private:
  bool stage(int i, double h, const State& from);
  void combine(int i, double h, const State& from, Vector& q, Vector& v) const;
  double error_of_step(double h);
  double multiplier_error(double h);
  void prepare_dense();
  void interpolate_own(double t, Vector& q, Vector& v);

  const ConstrainedSystem& system_;
  std::unique_ptr<Chart> chart_;
  Tolerances tolerances_;
  State now_, next_, before_;  // before_: start of the last accepted step
  Matrix kq_, kv_;             // stage derivatives of q and v, one column each
  Matrix done_kq_, done_kv_;   // those of the last accepted step, for its dense output
  Matrix dense_q_, dense_v_;   // the eight terms of the dense output
  Vector q_, v_, lambda_, e5_q_, e5_v_, e3_q_, e3_v_;
  RefinedStep refined_;
  double done_h_ = 0.0, next_h_ = 0.0, scale_ = 0.0;
  bool dense_ready_ = false;
  bool just_rejected_ = false;
};

}  // namespace raak

// The explicit Runge-Kutta pairs of Dormand and Prince on the index-1 equations q' = v, v' = a(t, q, v), with dense
// output refined to the order of the step (Hairer, Norsett and Wanner I, sections II.5 and II.6). A chart keeps the
// result on the constraints; the evaluation that serves as first stage of the next step comes after it.
#pragma once
#include <memory>

#include "methods/charts/chart.h"
#include "methods/runge_kutta/dense_output.h"
#include "methods/runge_kutta/dop853_table.h"
#include "methods/runge_kutta/dopri5_table.h"
#include "methods/runge_kutta/pair_control.h"

namespace raak {

template <class Table>
class EmbeddedRungeKutta : public Integrator {
 public:
  EmbeddedRungeKutta(const ConstrainedSystem& system, std::unique_ptr<Chart> chart, const Tolerances& tolerances);

  double begin(const State& start, double until) override;
  Attempt attempt(double to) override;
  double accept() override;
  const State& current() const override { return now_; }
  const State& attempted() const override { return next_; }
  void interpolate(double t, Vector& q, Vector& v) override;
  bool before_projection(Vector& q, Vector& v) const override { return chart_->before_projection(q, v); }
  int order() const override { return Table::order; }
  const IndependentCoordinates* independent_coordinates() const override { return chart_->independent_coordinates(); }
  void use_partitions(const PartitionRequest& request) override { chart_->use_partitions(request); }

  void visit_state(Archive& archive) override {
    archive.name(Table::name);
    archive(*chart_, now_, next_, before_, kq_, kv_, done_kq_, done_kv_, dense_, dense_ready_, control_, lambda_);
    scratch(system_, tolerances_, q_, v_, e_q_, e_v_);
  }

 private:
  void combine(int i, double h, const State& from, const Matrix& kq, const Matrix& kv, Vector& q, Vector& v) const;
  bool stage(int i, double h, const State& from, Matrix& kq, Matrix& kv);
  // Leaves the estimated errors of q and v in e_q_ and e_v_.
  double error_of_step(double h);
  double multiplier_error();

  const ConstrainedSystem& system_;
  std::unique_ptr<Chart> chart_;
  Tolerances tolerances_;
  State now_, next_, before_;  // before_: start of the last accepted step
  Matrix kq_, kv_;             // stage derivatives of q and v, one column each
  Matrix done_kq_, done_kv_;   // those of the last accepted step, for its dense output
  Vector q_, v_, lambda_, e_q_, e_v_;
  DenseOutput<Table> dense_;
  bool dense_ready_ = false;
  PairControl control_;
};

using Dopri5 = EmbeddedRungeKutta<Dopri5Table>;
using Dop853 = EmbeddedRungeKutta<Dop853Table>;

}  // namespace raak

// The variable-order, variable-step Adams-Bashforth-Moulton PECE method on q' = v, v' = a(t, q, v), in a chart:
// with a SvdChart this is the method of Mani, Haug and Atkinson (svd), with a ProjectedChart `adams`.
// As D02CAF does, it refuses a tolerance that double precision cannot meet and names one that it can.
#pragma once
#include <memory>

#include "methods/charts/chart.h"
#include "methods/multistep/adams_formula.h"

namespace raak {

class Adams final : public Integrator {
 public:
  Adams(const ConstrainedSystem& system, std::unique_ptr<Chart> chart, const Tolerances& tolerances);

  double begin(const State& start, double until) override;
  Attempt attempt(double to) override;
  double accept() override;
  const State& current() const override { return now_; }
  const State& attempted() const override { return next_; }
  void interpolate(double t, Vector& q, Vector& v) override;
  bool before_projection(Vector& q, Vector& v) const override { return chart_->before_projection(q, v); }
  int order() const override { return formula_.order(); }
  bool starts_at_order_one() const override { return true; }
  const IndependentCoordinates* independent_coordinates() const override { return chart_->independent_coordinates(); }
  void use_partitions(const PartitionRequest& request) override { chart_->use_partitions(request); }

  void visit_state(Archive& archive) override {
    archive.name("adams");
    archive(*chart_, formula_, now_, next_, y_, predicted_, corrected_, f_, lambda_, magnification_);
    scratch(system_, tolerances_, n_, work_, e_q_, e_v_);
  }

 private:
  double size_of(const Vector& e);
  bool evaluate(const Vector& y);
  void check_reachable() const;

  const ConstrainedSystem& system_;
  std::unique_ptr<Chart> chart_;
  Tolerances tolerances_;
  Eigen::Index n_;
  AdamsFormula formula_;  // of y = (q, v), y' = (v, a)
  State now_, next_;
  Vector y_, predicted_, corrected_, f_, work_;
  Vector e_q_, e_v_, lambda_;
  double magnification_ = 1.0;  // of the error in q and v that the error in lambda amounts to
};

}  // namespace raak

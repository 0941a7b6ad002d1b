// Backward differentiation formulas of order 1 to 5 with variable step on the stabilised index-2 equations of Gear,
// Gupta and Leimkuhler (ggl), as the codes DASSL and IDA would be used: bdf_formula.h for the formulas,
// implicit_stage.h for the nonlinear equations, of which only accelerations and multipliers are solved for. Multipliers
// are not in the error test.
#pragma once
#include "methods/collocation/implicit_stage.h"
#include "methods/control/order_trial.h"
#include "methods/multistep/bdf_formula.h"

namespace raak {

class Bdf final : public Integrator {
 public:
  // What the method holds of a step's error stays at this tolerance where less is asked for: its many short steps
  // magnify rounding errors.
  static constexpr double rounding_floor = 1e-10;

  Bdf(const ConstrainedSystem& system, Form form, const Tolerances& tolerances);

  double begin(const State& start, double until) override;
  Attempt attempt(double to) override;
  double accept() override;
  const State& current() const override { return now_; }
  const State& attempted() const override { return next_; }
  void interpolate(double t, Vector& q, Vector& v) override;
  int order() const override { return formula_.order(); }
  bool starts_at_order_one() const override { return true; }

  void visit_state(Archive& archive) override {
    archive.name("bdf");
    archive(stage_, formula_, trial_, now_, next_, y_, slope_, correction_q_, correction_v_);
    scratch(system_, tolerances_, n_, share_of_step_, q_base_, v_base_, e_q_, e_v_);
  }

 private:
  double size_of(const Vector& e);
  double rate_of_change() const;

  const ConstrainedSystem& system_;
  Tolerances tolerances_;
  Eigen::Index n_;
  double share_of_step_;
  ImplicitStage stage_;
  BdfFormula formula_;  // of y = (q, v)
  OrderTrial trial_;
  State now_, next_;
  Vector y_, slope_, correction_q_, correction_v_, q_base_, v_base_, e_q_, e_v_;
};

}  // namespace raak

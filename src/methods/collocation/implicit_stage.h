// One implicit stage of a linear multistep or one-stage method: finds the acceleration x and the multipliers with
//   q = q_base + wq (x - G_p' e),  v = v_base + wv x,  M x + G' lambda = f  and the constraints of the form,
// by a simplified Newton method with derivatives at the prediction, and removes what the iteration left of the
// constraints that the form imposes (second_order_newton.h).
#pragma once
#include "methods/charts/chart.h"
#include "methods/direct/newton_matrix.h"

namespace raak {

class ImplicitStage {
 public:
  ImplicitStage(const ConstrainedSystem& system, Form form, const Tolerances& tolerances);

  // On entry t, a and lambda of `state` are the prediction. `precision`: what the iteration may leave, as a part of the
  // tolerances. False: no convergence.
  bool solve(State& state, const Vector& q_base, const Vector& v_base, double wv, double wq, double precision,
             Statistics& statistics);

  void visit_state(Archive& archive) {
    archive(chart_);
    scratch(system_, form_, tolerances_, linear_, matrix_, r_, x_, e_, q_, v_);
  }

 private:
  void place(State& state, const Vector& q_base, const Vector& v_base, double wv, double wq);
  bool finish_constraints(State& state, Statistics& statistics);

  const ConstrainedSystem& system_;
  Form form_;
  Tolerances tolerances_;
  Linearization linear_;
  ProjectedChart chart_;
  NewtonMatrix<double> matrix_;
  Vector r_, x_, e_, q_, v_;
};

}  // namespace raak

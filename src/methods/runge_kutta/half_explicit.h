// HEDOP5, the half-explicit Runge-Kutta method of order 5 built on the coefficients of Dormand and Prince: M. Arnold
// and A. Murua, Non-stiff integrators for differential-algebraic systems of index 2, Numer. Algorithms 19 (1998). On
// the index-2 equations M v' = f - G' lambda, 0 = [g'; c]: the multiplier of stage i is chosen so that the velocity of
// stage i + 1 satisfies the constraints,
//   [ M(Q_i)      G(Q_i)' ] [ A_i      ]   [ f(t_i, Q_i, V_i)                                        ]
//   [ G(Q_(i+1))  0       ] [ Lambda_i ] = [ -c(t_(i+1), Q_(i+1), v0 + h sum_(j<i) a_(i+1)j A_j) / (h a_(i+1)i) ]
// the first stage is explicit (the last of the step before) and an eighth stage at c = 19/20 gives the multiplier of
// the seventh. The ggl form projects the positions as well after each step; index2 leaves them.
#pragma once
#include "methods/charts/chart.h"
#include "methods/direct/saddle_point.h"
#include "methods/runge_kutta/dense_output.h"
#include "methods/runge_kutta/dopri5_table.h"

namespace raak {

class HalfExplicit final : public Integrator {
 public:
  HalfExplicit(const ConstrainedSystem& system, Form form, const Tolerances& tolerances);

  double begin(const State& start, double until) override;
  Attempt attempt(double to) override;
  double accept() override;
  const State& current() const override;
  const State& motion() const override { return now_; }
  double time() const override { return now_.t; }
  const State& attempted() const override { return next_; }
  void interpolate(double t, Vector& q, Vector& v) override { dense_.interpolate(before_, now_, t, q, v); }
  bool before_projection(Vector& q, Vector& v) const override { return chart_.before_projection(q, v); }
  int order() const override { return 5; }

  void visit_state(Archive& archive) override {
    archive.name("half-explicit");
    archive(chart_, next_, before_, now_, accelerations_known_, first_a_, Q_, V_, A_, lambda_, dense_, control_);
    scratch(system_, tolerances_, n_, m_, equations_, r_, x_, q_, v_, f_, c_, e_q_, e_v_);
  }

 private:
  bool stage(int i, double h);
  void combine(int row, int count, double h, Vector& q, Vector& v) const;
  double error_of_step(double h);

  const ConstrainedSystem& system_;
  Tolerances tolerances_;
  ProjectedChart chart_;
  Eigen::Index n_, m_;
  State next_, before_;  // before_: start of the last accepted step
  mutable State now_;    // its a and lambda are those of the index-1 equations, found when asked for
  mutable bool accelerations_known_ = true;
  Vector first_a_;    // of the first stage: that of the last stage of the step before
  Matrix Q_, V_, A_;  // stages, one column each
  SaddlePoint equations_;
  Vector r_, x_, q_, v_, f_, c_, lambda_, e_q_, e_v_;
  DenseOutput<Dopri5Table> dense_;  // of the last accepted step
  PairControl control_;
};

}  // namespace raak

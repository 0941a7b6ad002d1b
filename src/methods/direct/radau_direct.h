// Radau IIA of order 2s - 1 (s = 3, 5, 7) applied directly to the index-3, index-2, GGL-stabilised or index-1
// equations:
//   V_i = v0 + h sum a_ij A_j,   Q_i = q0 + h c_i v0 + h^2 sum (A^2)_ij A_j  [- h G' sum a_ij eta_j],
//   M(Q_i) A_i + G(Q_i)' Lambda_i = f(t_i, Q_i, V_i) and the constraints of the form, at every stage.
// Only stage accelerations and multipliers are solved for: the simplified Newton method in the eigenvectors of A needs
// one real and (s - 1)/2 complex factorizations of the size of the index-1 system (second_order_newton.h), or of the
// size of the freedoms with all stages in SIMD lanes (stage_newton.h).
// Error estimate and step control: Hairer and Wanner, Solving Ordinary
// Differential Equations II, sections IV.8 and VII.8; Hairer and Wanner, Stiff differential equations solved by Radau
// methods, J. Comp. Appl. Math. 111 (1999).
#pragma once
#include <complex>
#include <optional>

#include "methods/charts/chart.h"
#include "methods/collocation/collocation.h"
#include "methods/collocation/stage_matrices.h"
#include "methods/direct/newton_matrix.h"
#include "methods/direct/stage_newton.h"
#include "methods/runge_kutta/refined_step.h"

namespace raak {

class RadauDirect final : public Integrator {
 public:
  RadauDirect(const ConstrainedSystem& system, Form form, const Tolerances& tolerances, int stages);

  double begin(const State& start, double until) override;
  Attempt attempt(double to) override;
  double accept() override;
  const State& current() const override { return now_; }
  const State& attempted() const override { return next_; }
  void interpolate(double t, Vector& q, Vector& v) override;
  int order() const override { return 2 * s_ - 1; }

  void visit_state(Archive& archive) override {
    archive.name("radau direct");
    archive(stages_, positions_and_velocities_, now_, next_, before_, X_, Q_, V_, done_X_, dense_q_, dense_v_,
            refined_);
    archive(done_t_, done_h_, next_h_, last_error_, contraction_, theta_, done_contraction_, iterations_);
    archive(has_history_, just_rejected_);
    scratch(system_, form_, tolerances_, inner_, s_, n_, m_, rule_, linear_, A_, AA_, spectrum_, in_lanes_, weight_q_,
            weight_v_);
    scratch(matrix_, pairs_, stage_, R_, D_, before_Q_, before_V_, extrapolation_, r_, x_, r_complex_, x_complex_);
    scratch(e_q_, e_v_, to_start_, shift_, weights_, nodes_);
  }

 private:
  using Complex = std::complex<double>;
  int most_iterations() const { return fixed_steps_ ? 60 : 8 + s_; }
  void predict(double h);
  void stages_from_unknowns(double h);
  const State& middle_of_prediction(double h);
  void place_stage_matrices(double h);
  double expected_contraction(double h) const;
  bool solve(double h);
  bool is_in_lanes() const { return in_lanes_ && !stages_.are_used(); }
  void factor(double h);
  bool iterate(double h);
  double newton_step(double h);
  double newton_step_in_lanes();
  bool finish_constraints(State& state);
  double error_of_step(double h);
  void keep_dense();
  void interpolate_own(double t, Vector& q, Vector& v);

  const ConstrainedSystem& system_;
  Form form_;
  Tolerances tolerances_;
  Tolerances inner_;  // of the error estimate, which is of lower order than the method
  int s_;
  Eigen::Index n_, m_;
  const Collocation& rule_;
  Linearization linear_;
  StageMatrices stages_;
  ProjectedChart positions_and_velocities_;

  Matrix A_;
  Matrix AA_;  // its square: not the twice integrated collocation polynomial, which index 3 makes unstable
  StageSpectrum spectrum_;
  NewtonMatrix<double> matrix_;               // of the real eigenvalue
  std::vector<NewtonMatrix<Complex>> pairs_;  // of the others
  std::optional<StageNewton> in_lanes_;       // where the system has kernels and its equations are split
  Vector weight_q_, weight_v_;                // over the tolerances

  State now_, next_, before_, stage_;
  Matrix X_, R_, D_;  // unknowns, residuals and corrections, one column a stage
  Matrix Q_, V_, before_Q_, before_V_;
  Matrix done_X_;         // unknowns of the last accepted step
  Matrix extrapolation_;  // weights of the predictor
  Vector r_, x_;
  Eigen::VectorXcd r_complex_, x_complex_;
  Vector e_q_, e_v_, to_start_, shift_, weights_;
  std::vector<double> nodes_;  // 0, c_1, ..., c_s of the dense output
  Matrix dense_q_, dense_v_;
  RefinedStep refined_;
  double done_t_ = 0.0, done_h_ = 0.0, next_h_ = 0.0, last_error_ = 0.0, contraction_ = 1.0;
  double theta_ = 0.0;             // last ratio of Newton steps
  double done_contraction_ = 1.0;  // of the last accepted step
  int iterations_ = 0;
  bool has_history_ = false;
  bool just_rejected_ = false;
};

}  // namespace raak

// Radau IIA collocation on the index-1 equations for stiff systems, L-stable, of order 7 (four stages) or 15 (eight),
// the stages in SIMD lanes; the stage accelerations by simplified Newton corrections (newton_lanes.h) whose Jacobian is
// kept while it serves. Integrated are independent coordinates (independent_lanes.h) where the system can evaluate them
// in lanes; elsewhere all of them, with projection at the end of the step. Hairer and Wanner II, sections IV.5 and
// IV.8; the order varies with the decay of the Legendre coefficients, as the step does (decay_control.h).
#pragma once
#include <algorithm>
#include <memory>
#include <optional>

#include "methods/charts/chart.h"
#include "methods/charts/coordinate_choice.h"
#include "methods/collocation/dense_collocation.h"
#include "methods/collocation/independent_lanes.h"
#include "methods/control/decay_control.h"
#include "methods/control/stiff_error.h"
#include "methods/control/sweep_monitor.h"
#include "methods/linear/sparse_newton.h"

namespace raak {

struct NewtonWork {
  double cycles = 0.0;
  long linearizations = 0;  // of all coordinates, by the system's own functions, which count no cycles

  void visit_state(Archive& archive) { archive(cycles, linearizations); }
};

class Radau final : public Integrator {
 public:
  Radau(const ConstrainedSystem& system, Form form, const Tolerances& tolerances);

  double begin(const State& start, double until) override;
  void resume(const State& state, double until) override;
  Attempt attempt(double to) override;
  double accept() override;
  double time() const override { return now_.t; }
  const State& current() const override;
  const State& attempted() const override { return next_; }
  void interpolate(double t, Vector& q, Vector& v) override;
  bool before_projection(Vector& q, Vector& v) const override { return chart_.before_projection(q, v); }
  int order() const override { return 2 * stages_ - 1; }

  DecayControl& control() { return control_; }
  DecayControl* decay_control() override { return &control_; }
  // The smallest pivot at a stage of the last attempt, relative to those at the choice of coordinates; 1 where all of
  // them are integrated. Long steps over a singular configuration cost digits where tolerances are so loose that
  // rounding is of no account: it does not say then.
  double constraint_strength() const override {
    if (!independent_ || !is_tight_) return 1.0;
    return std::abs(stages_ == 4 ? four_.stages.smallest_pivot() : eight_.stages.smallest_pivot());
  }
  // What the prediction of the last step left for the corrections, in the units of sweep_tolerance().
  double first_residual() const { return first_residual_; }
  void visit_state(Archive& archive) override;

  // Keeps this number of stages, 4 or 8.
  void fix_stages(int stages);
  // The change at which the stages count as solved.
  double sweep_tolerance() const { return control_.change(stages_); }
  // What fixed-point sweeps would contract by at the present step, as far as the linearized equations say.
  double fixed_point_contraction() const {
    const double* weight = control_.weight();
    return stages_ == 4 ? four_.now.newton->departure(weight, components_)
                        : eight_.now.newton->departure(weight, components_);
  }
  // What went into linearising, factors and corrections so far, beside evaluations: counted, not measured.
  const NewtonWork& newton_work() const { return newton_work_; }
  // Those of the factors of one step, foreseen from the size of a system alone.
  static double foreseen_factor_cost(const ConstrainedSystem& system);

 private:
  template <int s>
  struct Rule {
    explicit Rule(const ConstrainedSystem& system) : stages(system, rule()), stiff(rule(), system.coordinates()) {}
    static const Collocation& rule() {
      static const Collocation found = as_runge_kutta(collocation_rule(Collocation::Kind::radau, s));
      return found;
    }
    static const CollocationSpectrum& spectrum() {
      static const CollocationSpectrum found(rule());
      return found;
    }
    // For this number of unknown accelerations a stage, under this number of constraint rows.
    void begin(int unknowns, int rows, bool sparse) {
      for (Factored* each : {&now, &kept}) {
        if (sparse) each->newton = std::make_unique<SparseNewton<s>>(spectrum());
        else each->newton = std::make_unique<NewtonLanes<s>>(unknowns, rows, spectrum());
        each->h = 0.0;
      }
    }
    struct Factored {
      std::unique_ptr<StageCorrection<s>> newton;
      double h = 0.0;     // the step that the correction was prepared for; 0: none
      long jacobian = 0;  // and the Jacobian

      void visit_state(Archive& archive, const std::shared_ptr<const SaddlePattern>& pattern) {
        newton->visit_state(archive, pattern);
        archive(h, jacobian);
      }
    };
    // Once begin() was called.
    void visit_state(Archive& archive, const Partition* partition,
                     const std::shared_ptr<const SaddlePattern>& pattern) {
      stages.visit_state(archive, partition);
      now.visit_state(archive, pattern);
      kept.visit_state(archive, pattern);
      archive(refactored);
      scratch(stiff);
    }
    IndependentLanes<s> stages;
    StiffError<s> stiff;
    Factored now, kept;       // of the attempt, and as it was before it
    bool refactored = false;  // in this attempt
  };
  template <int s>
  Attempt attempt_with(Rule<s>& rule, double to);
  template <int s>
  double length_for_stiff_modes(Rule<s>& rule);
  template <int s>
  bool solve_stages(Rule<s>& rule, double h);
  template <int s>
  bool iterate(Rule<s>& rule, const Vector& q, const Vector& v, double t, double h, SweepMonitor& monitor);
  template <int s>
  bool factor(Rule<s>& rule, double h, double slack);
  template <int s>
  bool stays_on_branch(const Rule<s>& rule, double h, const Vector& q, const Vector& v) const;
  template <int s>
  const char* finish(Rule<s>& rule, double h);
  template <int s>
  void refine(Rule<s>& rule);
  void use_coordinates();
  bool uses_sparse() const { return !independent_ && equations_ != nullptr; }
  int unknowns() const { return independent_ ? system_.coordinates() - system_.rows() : system_.coordinates(); }
  int unknown_rows() const { return independent_ ? 0 : system_.rows(); }
  template <int s>
  void restore_linearization(Rule<s>& rule);
  template <int s>
  Attempt refuse(Rule<s>& rule, double step, const char* trouble);
  void keep_coordinates();
  void replace_coordinates();
  bool renews_start();
  void prepare_dense();
  void update_jacobian(double h);
  int better_stages(double factor) const;
  double size_of_coefficient(int k) const;
  double smallest_pivot() const {
    return series_stages_ == 4 ? four_.stages.smallest_pivot() : eight_.stages.smallest_pivot();
  }

  const ConstrainedSystem& system_;
  ProjectedChart chart_;
  std::optional<CoordinateChoice> choice_;  // none where velocities are constrained, or positions are not imposed
  bool independent_ = false;                // integrates the chosen coordinates only
  std::vector<int> all_;
  const int* components_ = nullptr;   // that are integrated
  const SparseEquations* equations_;  // for all coordinates, where there are so many that sparse factors pay
  std::shared_ptr<const SaddlePattern> pattern_;
  DecayControl control_;
  Rule<4> four_;
  Rule<8> eight_;
  std::unique_ptr<Rule<16>> sixteen_;  // for the dense output of eight, made when it is asked for
  struct Jacobian {
    Jacobian(int n, int m, const SparseEquations* equations) : full(n, m, equations), reduced(std::max(0, n - m), 0) {}
    StateLinearization full, reduced;  // of all coordinates, of the independent ones
    long number = 0;
    double t = 0.0;  // the start of the step that it was made for
    bool is_old = true;

    void visit_state(Archive& archive) { archive(full, reduced, number, t, is_old); }
  };
  std::unique_ptr<Jacobian> jacobian_, kept_jacobian_;  // of the attempt, and as it was before it
  long jacobians_ = 0;
  NewtonWork newton_work_;
  bool relinearized_ = false;  // in this attempt
  double contraction_ = 0.0;   // of the last corrections
  double first_residual_ = 0.0;
  State now_;            // with independent coordinates, its dependent part is close to the constraints, not on them
  mutable State shown_;  // now_ on the constraints; its a and lambda are found when asked for
  mutable bool shown_known_ = true;
  State next_, before_, middle_;
  LaneArray series_, next_series_, fine_series_;  // of the accelerations: last accepted step, attempt, dense output
  Vector from_q_, from_v_, end_q_, end_v_;        // of the dense output: the start, and what it lacks at the end
  Vector raw_q_, raw_v_;                          // the end of the attempt before it is brought back to the constraints
  int stages_ = 4, series_stages_ = 4, first_stages_ = 4, next_stages_ = 4;
  bool fixed_order_ = false;
  bool is_tight_;  // the tolerance: rounding beside a singular configuration is of account
  double series_h_ = 0.0, next_h_ = 0.0, done_h_ = 0.0;
  int since_drawn_near_ = 0;
  bool serves_ = true;       // the choice of coordinates, for the next step
  bool chosen_here_ = true;  // at now_
  bool have_series_ = false, dense_ready_ = false, just_rejected_ = false;
};

}  // namespace raak

// How a method's coordinates stay on the constraints. Every method integrates the full vectors q and v; a chart says
// what is done to them inside a step and at its end, and which part of an error estimate counts.
// ProjectedChart: full coordinates; q and v are projected after each step, shortest in the metric of M, as far as the
// form of the equations asks for it.
// SvdChart (svd_chart.h): z = V_I q is what is integrated; q and v are recovered from z at every stage.
#pragma once
#include <algorithm>
#include <limits>
#include <string>

#include "methods/resumable.h"
#include "system/equations/forms.h"

namespace raak {

// What rounding leaves of the rows at q.
inline double rounding_of_rows(const ConstrainedSystem& system, const Vector& q) {
  constexpr double share = 64.0 * std::numeric_limits<double>::epsilon();
  return share * std::max(system.row_scales().maxCoeff(), q.cwiseAbs().maxCoeff());
}

class Chart {
 public:
  explicit Chart(const ConstrainedSystem& system) : system_(system) {}
  virtual ~Chart() = default;

  virtual void begin(const State& state, Statistics&) { leave_from(state); }
  // Brings (q, v) of a stage or a predictor back to the chart; false: it could not.
  virtual bool restore_stage(double t, Vector& q, Vector& v, Statistics&) = 0;
  // The same at the end of a step.
  virtual bool restore_end(double t, Vector& q, Vector& v, Statistics&) = 0;
  // The same of what a method interpolates within its last step; leaves no trace. What cannot be brought back stays.
  virtual void restore_between(double /*t*/, Vector& /*q*/, Vector& /*v*/) {}
  // Keeps of an error (e_q, e_v) what the chart integrates.
  virtual void restrict_error(Vector&, Vector&) {}
  // Between accepted steps: may choose a new basis.
  virtual void after_step(const State& state, Statistics&) { leave_from(state); }
  virtual const IndependentCoordinates* independent_coordinates() const { return nullptr; }
  virtual void use_partitions(const PartitionRequest& /*request*/) {}
  // What restore_end() was last given, if it moves it towards the constraints.
  virtual bool before_projection(Vector& /*q*/, Vector& /*v*/) const { return false; }

  virtual void visit_state(Archive& archive) {
    archive(from_q_, from_v_, asked_q_, asked_v_);
    scratch(system_);
  }

 protected:
  void leave_from(const State& state) {
    from_q_ = state.q;
    from_v_ = state.v;
    asked_q_.resize(state.q.size());
    asked_v_.resize(state.v.size());
  }
  // Before and after (q, v) is brought to the constraints: whether an error was moved away, which is much less than the
  // step has moved it, or another branch was found. Methods that do not say where a step begins look for themselves.
  void ask(const Vector& q, const Vector& v) {
    if (from_q_.size() == 0) return;
    asked_q_ = q;
    asked_v_ = v;
  }
  bool stays_on_branch(const Vector& q, const Vector& v) const;

  const ConstrainedSystem& system_;
  Vector from_q_, from_v_;  // where the step began
  Vector asked_q_, asked_v_;
};

class ProjectedChart final : public Chart {
 public:
  // A Newton step squares a small residual: below this one more is not needed for any tolerance.
  static constexpr double small_for_all = 1e-8;
  // The same for some tolerances.
  static double small_for(const Tolerances& tolerances);

  // index2 imposes the velocity level only, index1-plain none, every other form both.
  ProjectedChart(const ConstrainedSystem& system, Form form, double small = small_for_all)
      : Chart(system),
        project_positions_(holds_positions(form)),
        project_velocities_(holds_velocities(form)),
        small_(small) {}
  bool restore_stage(double, Vector&, Vector&, Statistics&) override { return true; }
  bool restore_end(double t, Vector& q, Vector& v, Statistics& statistics) override;
  bool before_projection(Vector& q, Vector& v) const override {
    if (free_q_.size() == 0) return false;
    q = free_q_;
    v = free_v_;
    return true;
  }
  void visit_state(Archive& archive) override {
    Chart::visit_state(archive);
    archive(free_q_, free_v_);
    scratch(project_positions_, project_velocities_, small_);
  }

 private:
  bool project_positions_, project_velocities_;
  double small_;
  Vector free_q_, free_v_;  // before projection
};

}  // namespace raak

// A ConstrainedSystem whose inner loop runs on recorded kernels (motion_kernels.h), whatever its formulas come from:
// equations written by hand (equations.h) or a mechanism assembled at run time (recorded_system.h).
#pragma once
#include <memory>
#include <mutex>

#include "system/constrained_system.h"
#include "system/recorded/motion_kernels.h"
#include "system/time/time_formulas.h"

namespace raak {

class Archive;

class KernelSystem : public ConstrainedSystem, public DependsOnTime {
 public:
  ~KernelSystem() override;

  double accelerate(double t, const double* q, const double* v, double* a, double* lambda) const final;
  void accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                        double* smallest_pivot) const final;
  double correct_position(double t, double* q) const final;
  double correct_velocity(double t, const double* q, double* v) const final;
  double correct_state(double t, double* q, double* v) const final;
  const Partition* partition(const PivotPlan& plan) const final { return kernels_.partition(plan); }
  const EquationKernels* equation_kernels() const final { return equations_.get(); }
  void prepare(double t, const Vector& q) const final { kernels_.emit(t, q.data()); }

  int switches() const final;
  void evaluate_switches(double t, const Vector& q, const Vector& v, Vector& values) const final;
  const TimeFormulas* time_formulas() const final;

  // What it has learned on the way that decides on the last bits of later evaluations.
  void visit_state(Archive& archive) const;

  // Cycles of one evaluation of the accelerations, as counted by Program::cost().
  double acceleration_cost(double t, const Vector& q) const;

 protected:
  KernelSystem(std::shared_ptr<const Formulas> formulas, int coordinates, int position_rows, int velocity_rows,
               Description description);
  const Formulas& formulas() const { return *formulas_; }

 private:
  std::shared_ptr<const Formulas> formulas_;
  MotionKernels kernels_;
  std::unique_ptr<const EquationKernels> equations_;
  // Finds branches and what depends on time alone, at the first question.
  void look_at_formulas() const;

  mutable std::once_flag looked_at_;
  mutable std::unique_ptr<Kernel> switches_;       // null: no formula has branches
  mutable std::unique_ptr<TimeFormulas> in_time_;  // null: there are none
};

}  // namespace raak

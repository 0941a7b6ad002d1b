// A mechanism of many bodies as a system: maximal coordinates, evaluated element by element (evaluation.h) instead of
// by code that is recorded for the mechanism as a whole. What methods with matrices ask for is recorded all the same:
// sparse, and dense as long as the mechanism is not too large for that.
#pragma once
#include <memory>
#include <mutex>

#include "mechanism/formulas/mechanism_system.h"
#include "mechanism/large/large_accounts.h"
#include "system/recorded/evaluation_cost.h"
#include "system/time/time_formulas.h"

namespace raak {

class LargeSystem final : public ConstrainedSystem,
                          public SparseEquations,
                          public JointGraph,
                          public CountsTurns,
                          public DependsOnTime,
                          public CountedEvaluation,
                          public WithholdsIndeterminate {
 public:
  LargeSystem(std::shared_ptr<const MaximalFormulas> formulas, std::shared_ptr<const LargeEvaluation> evaluation);

  double accelerate(double t, const double* q, const double* v, double* a, double* lambda) const override;
  void accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                        double* smallest_pivot) const override;
  // Without kernels that have to be made first and pay in many evaluations only.
  double accelerate_step_by_step(double t, const double* q, const double* v, double* a, double* lambda) const;
  double correct_position(double t, double* q) const override;
  double correct_velocity(double t, const double* q, double* v) const override;
  double correct_state(double t, double* q, double* v) const override;
  bool has_dense_matrices() const override;
  std::vector<Joint> joints() const override;
  std::vector<Driver> drivers() const override;
  const TurnGauge* turn_gauge() const override { return gauge_.get(); }

  void sparse_mass(double t, const Vector& q, SparseMatrix& M) const override;
  void sparse_jacobian(double t, const Vector& q, SparseMatrix& G) const override;
  void sparse_force_derivatives(double t, const Vector& q, const Vector& v, SparseMatrix& f_q,
                                SparseMatrix& f_v) const override;
  void sparse_inertia_stiffness(const State& state, SparseMatrix& K) const override;

  void mass(double t, const Vector& q, Matrix& M) const override;
  void mass_diagonal(double t, const Vector& q, Vector& diagonal) const override;
  void force(double t, const Vector& q, const Vector& v, Vector& f) const override;
  void constraint(double t, const Vector& q, Vector& g) const override;
  void velocity_constraint(double t, const Vector& q, const Vector& v, Vector& c_all) const override;
  void jacobian(double t, const Vector& q, Matrix& G) const override;
  void acceleration_bias(double t, const Vector& q, const Vector& v, Vector& bias) const override;
  void force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q, Matrix& f_v) const override;
  void inertia_stiffness(const State& state, Matrix& K) const override;

  double counted_cost() const override { return evaluation_->acceleration_cost(); }

  Energy energy(double t, const Vector& q, const Vector& v) const override;
  double input_power(const State& state) const override;
  bool has_input_power() const override { return !accounts_.works().empty(); }
  bool accounts_for_energy() const override { return true; }
  const EnergyAccounts* energy_accounts() const override { return &accounts_; }
  void evaluate_outputs(const State& state, Vector& values) const override;
  bool outputs_need_forces() const override;
  void report(const State& state, State& shown) const override;
  void mark_indeterminate(const std::vector<std::size_t>& rows, IndeterminateOutputs outputs) override;
  int switches() const override { return switches_; }
  void evaluate_switches(double t, const Vector& q, const Vector& v, Vector& values) const override;
  const TimeFormulas* time_formulas() const override;

 private:
  const MechanismSystem& recorded() const;
  // The same, for matrices over all coordinates.
  const MechanismSystem& dense() const;
  void record_outputs() const;

  std::shared_ptr<const MaximalFormulas> formulas_;
  std::shared_ptr<const LargeEvaluation> evaluation_;
  std::shared_ptr<const TurnGauge> gauge_;
  ShownMultipliers multipliers_;
  IndeterminateOutputs indeterminate_;
  LargeAccounts accounts_;
  int switches_;
  mutable std::once_flag recorded_once_, outputs_once_, in_time_once_;
  mutable std::unique_ptr<TimeFormulas> in_time_;  // null: there are none
  mutable std::unique_ptr<MechanismSystem> recorded_;
  mutable std::unique_ptr<Kernel> outputs_;
  mutable std::vector<int> output_bodies_, output_rows_;
};

}  // namespace raak

// A mechanism under forces that are functions of a user's own (raak::ForceFunction): the system of the mechanism, and
//   M a + G' lambda = f + B' F(t, w),   G a = bias,
// where w and the velocities B v that the components of F act along are outputs of the mechanism.
#pragma once
#include <raak/callbacks.h>

#include <memory>
#include <string>
#include <vector>

#include "api/core.h"
#include "kinematics/model.h"
#include "system/energy_accounts.h"
#include "system/joint_graph.h"
#include "system/time/time_formulas.h"
#include "system/turn_gauge.h"

namespace raak_v0::detail {

// A force with its place among the outputs of the mechanism: those it is a function of, then those it acts along.
struct PlacedForce {
  std::string name;
  ForceFunction::Value value;
  Eigen::Index first = 0, arguments = 0, components = 0;
};

class ForcedSystem final : public core::ConstrainedSystem,
                           public core::JointGraph,
                           public core::CountsTurns,
                           public core::DependsOnTime {
 public:
  using Vector = core::Vector;
  using Matrix = core::Matrix;
  // The outputs of `mechanism` from the first of the first force on are those of the forces.
  ForcedSystem(std::shared_ptr<const core::ConstrainedSystem> mechanism, std::vector<PlacedForce> forces);
  ~ForcedSystem() override;

  double accelerate(double t, const double* q, const double* v, double* a, double* lambda) const override;
  void accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                        double* smallest_pivot) const override;
  double correct_position(double t, double* q) const override { return inner_->correct_position(t, q); }
  double correct_velocity(double t, const double* q, double* v) const override {
    return inner_->correct_velocity(t, q, v);
  }
  double correct_state(double t, double* q, double* v) const override { return inner_->correct_state(t, q, v); }
  void prepare(double t, const Vector& q) const override { inner_->prepare(t, q); }

  void mass(double t, const Vector& q, Matrix& M) const override { inner_->mass(t, q, M); }
  void mass_diagonal(double t, const Vector& q, Vector& diagonal) const override {
    inner_->mass_diagonal(t, q, diagonal);
  }
  void force(double t, const Vector& q, const Vector& v, Vector& f) const override;
  void constraint(double t, const Vector& q, Vector& g) const override { inner_->constraint(t, q, g); }
  void velocity_constraint(double t, const Vector& q, const Vector& v, Vector& c_all) const override {
    inner_->velocity_constraint(t, q, v, c_all);
  }
  void jacobian(double t, const Vector& q, Matrix& G) const override { inner_->jacobian(t, q, G); }
  void acceleration_bias(double t, const Vector& q, const Vector& v, Vector& bias) const override {
    inner_->acceleration_bias(t, q, v, bias);
  }
  void force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q, Matrix& f_v) const override;
  void inertia_stiffness(const core::State& state, Matrix& K) const override { inner_->inertia_stiffness(state, K); }

  int switches() const override { return inner_->switches(); }
  void evaluate_switches(double t, const Vector& q, const Vector& v, Vector& values) const override {
    inner_->evaluate_switches(t, q, v, values);
  }

  core::Energy energy(double t, const Vector& q, const Vector& v) const override { return inner_->energy(t, q, v); }
  double input_power(const core::State& state) const override;
  bool has_input_power() const override { return true; }
  bool accounts_for_energy() const override { return inner_->accounts_for_energy(); }
  const core::EnergyAccounts* energy_accounts() const override { return accounts_.get(); }
  void evaluate_outputs(const core::State& state, Vector& values) const override;
  void report(const core::State& state, core::State& shown) const override { inner_->report(state, shown); }
  void report_motion(const core::State& state, core::State& shown) const override {
    inner_->report_motion(state, shown);
  }

  std::vector<Joint> joints() const override;
  std::vector<Driver> drivers() const override;
  const core::TurnGauge* turn_gauge() const override { return core::turn_gauge_of(*inner_); }
  const core::TimeFormulas* time_formulas() const override;

  // W, of each force.
  Vector powers(double t, const Vector& q, const Vector& v) const;
  // Refuses forces that are functions of accelerations or reactions, which they change.
  void require_causes(const core::State& start) const;

 private:
  class Accounts;

  // All outputs of the mechanism that the forces have.
  Vector outputs_of_forces(double t, const Vector& q, const Vector& v) const;
  // F, all components one after the other, from those outputs.
  Vector components(double t, const Vector& outputs) const;
  // B, a row for each component.
  Matrix directions(double t, const Vector& q) const;
  // Adds what the forces change to a and lambda.
  void add_forces(double t, const Vector& q, const Vector& v, double* a, double* lambda, Eigen::Index stride) const;

  std::shared_ptr<const core::ConstrainedSystem> inner_;
  std::vector<PlacedForce> forces_;
  Eigen::Index first_, count_ = 0, components_ = 0;
  std::unique_ptr<core::EnergyAccounts> accounts_;
};

// The model with the system and the start that these forces make of it.
core::Model forced(core::Model model, const std::vector<PlacedForce>& forces);

}  // namespace raak_v0::detail

// A system in other units: q = s x with a unit for each coordinate, rows g/r with a unit for each row, so that
//   M_x = S M S,  f_x = S f,  G_x = R^-1 G S,  lambda_x = R lambda        (S = diag s, R = diag r; time stays as it
//   is).
// Configurations are sought and ranks are judged in units of the mechanism's size, where a number says the same of a
// watch and of a crane. There the metric is one of geometry as well: what a coordinate moves, whatever it weighs. A
// light body on a long arm would else turn any number of times before a heavy one moves.
#pragma once
#include <vector>

#include "system/constrained_system.h"

namespace raak {

class ScaledView final : public ConstrainedSystem {
 public:
  // In the scales of the system (coordinate_scales, row_scales). `metric`: the diagonal that stands for the mass
  // matrix, in these units. Empty: the mass matrix itself.
  explicit ScaledView(const ConstrainedSystem& system, Vector metric = {});

  // From values of the system to those of the view, and back.
  State scaled(State state) const;
  State unscaled(State state) const;

  double accelerate(double t, const double* q, const double* v, double* a, double* lambda) const override;
  void accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                        double* smallest_pivot) const override;
  // Newton corrections, shortest in the metric of the system.
  double correct_position(double t, double* q) const override;
  double correct_velocity(double t, const double* q, double* v) const override;
  bool has_dense_matrices() const override { return system_.has_dense_matrices(); }

  void mass(double t, const Vector& q, Matrix& M) const override;
  void mass_diagonal(double t, const Vector& q, Vector& diagonal) const override;
  void force(double t, const Vector& q, const Vector& v, Vector& f) const override;
  void constraint(double t, const Vector& q, Vector& g) const override;
  void velocity_constraint(double t, const Vector& q, const Vector& v, Vector& c_all) const override;
  void jacobian(double t, const Vector& q, Matrix& G) const override;
  void acceleration_bias(double t, const Vector& q, const Vector& v, Vector& bias) const override;
  void force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q, Matrix& f_v) const override;
  void inertia_stiffness(const State& state, Matrix& K) const override;

  int switches() const override { return system_.switches(); }
  void evaluate_switches(double t, const Vector& q, const Vector& v, Vector& values) const override;
  Energy energy(double t, const Vector& q, const Vector& v) const override;
  double input_power(const State& state) const override { return system_.input_power(unscaled(state)); }
  bool has_input_power() const override { return system_.has_input_power(); }
  bool accounts_for_energy() const override { return system_.accounts_for_energy(); }
  void evaluate_outputs(const State& state, Vector& values) const override;
  bool outputs_need_forces() const override { return system_.outputs_need_forces(); }
  void report(const State& state, State& shown) const override { system_.report(unscaled(state), shown); }
  void report_motion(const State& state, State& shown) const override { system_.report_motion(unscaled(state), shown); }

 private:
  Vector inner(const Vector& q) const { return coordinates_in_.cwiseProduct(q); }

  const ConstrainedSystem& system_;
  Vector coordinates_in_, rows_in_;  // the unit of each
  Vector metric_;
};

}  // namespace raak

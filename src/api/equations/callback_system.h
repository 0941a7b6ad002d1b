// Equations that are called with numbers as a system: dense matrices, and differences for the derivatives that are not
// given.
#pragma once
#include <raak/callbacks.h>

#include "api/core.h"
#include "api/equations/callback_differences.h"
#include "api/equations/dense_motion.h"
#include "system/called_equations.h"
#include "system/constrained_system.h"

namespace raak_v0::detail {

class CallbackSystem final : public core::ConstrainedSystem, public core::CalledEquations {
 public:
  using Vector = core::Vector;
  using Matrix = core::Matrix;
  CallbackSystem(Callbacks callbacks, core::Description description);

  double accelerate(double t, const double* q, const double* v, double* a, double* lambda) const override;
  void accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                        double* smallest_pivot) const override;
  double correct_position(double t, double* q) const override;
  double correct_velocity(double t, const double* q, double* v) const override;
  double correct_state(double t, double* q, double* v) const override;

  void mass(double t, const Vector& q, Matrix& M) const override;
  void force(double t, const Vector& q, const Vector& v, Vector& f) const override {
    f.resize(coordinates());
    own_.force(t, q.data(), v.data(), f.data());
  }
  void constraint(double t, const Vector& q, Vector& g) const override {
    g.resize(position_rows());
    if (position_rows() > 0) own_.constraint(t, q.data(), nullptr, g.data());
  }
  void velocity_constraint(double t, const Vector& q, const Vector& v, Vector& c_all) const override;
  void jacobian(double t, const Vector& q, Matrix& G) const override;
  void acceleration_bias(double t, const Vector& q, const Vector& v, Vector& bias) const override;
  void force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q, Matrix& f_v) const override;
  void inertia_stiffness(const core::State& state, Matrix& K) const override;

  core::Energy energy(double t, const Vector& q, const Vector& v) const override;
  double input_power(const core::State& state) const override;
  bool has_input_power() const override { return static_cast<bool>(own_.power); }
  bool accounts_for_energy() const override { return own_.potential || own_.power; }
  void evaluate_outputs(const core::State& state, Vector& values) const override;

 private:
  // Row by row. G: of the first `rows` rows; the others: of all.
  void write_jacobian(double t, const double* q, int rows, double* G) const;
  void write_rates(double t, const double* q, const double* v, double* rates) const;
  void write_bias(double t, const double* q, const double* v, double* bias) const;
  void call_all(double t, const double* q, const double* v, DenseMotion<double>& motion) const;
  // By factors with pivoting.
  double accelerate_near_singular(double t, const double* q, const double* v, double* a, double* lambda) const;
  bool find_change(double t, const double* q, int rows, const double* residual, DenseMotion<double>& motion,
                   double* change) const;

  Callbacks own_;
  CallbackDifferences differences_;
};

}  // namespace raak_v0::detail

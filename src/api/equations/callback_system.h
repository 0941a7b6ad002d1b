// Equations that are called with numbers as a system: dense matrices, and central differences for the derivatives that
// are not given. Fornberg, Generation of finite difference formulas, Math. Comp. 51 (1988) 699.
#pragma once
#include <raak/callbacks.h>

#include "api/core.h"
#include "system/constrained_system.h"

namespace raak_v0::detail {

class CallbackSystem final : public core::ConstrainedSystem {
 public:
  using Vector = core::Vector;
  using Matrix = core::Matrix;
  CallbackSystem(Callbacks callbacks, core::Description description);

  double accelerate(double t, const double* q, const double* v, double* a, double* lambda) const override;
  void accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                        double* smallest_pivot) const override;
  double correct_position(double t, double* q) const override;
  double correct_velocity(double t, const double* q, double* v) const override;

  void mass(double t, const Vector& q, Matrix& M) const override;
  void force(double t, const Vector& q, const Vector& v, Vector& f) const override;
  void constraint(double t, const Vector& q, Vector& g) const override;
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
  // g and c together at a moving configuration: c depends on v too.
  void constraints_on_line(double t, const Vector& q, const Vector& v, double s, Vector& g, Vector& c) const;
  // By factors with pivoting.
  double accelerate_near_singular(double t, const double* q, const double* v, double* a, double* lambda) const;
  // The shortest change in the metric of M with G change = right; returns the smallest relative pivot of G M^-1 G'.
  double shortest(const Matrix& M, const Matrix& G, const Vector& right, Vector& change, Vector* lambda) const;

  Callbacks own_;
};

}  // namespace raak_v0::detail

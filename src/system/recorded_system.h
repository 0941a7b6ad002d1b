// A ConstrainedSystem from formulas whose sizes are known at run time only. Every function of the contract is a
// recorded kernel, derived by differentiation on the tape and made at its first use:
//   G = [dg/dq; dc/dv], [g'; c] and bias along q + s v, t + s; accelerations by whichever of null space and Schur
//   complement takes fewer operations.
#pragma once
#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "base/kernel.h"
#include "system/constrained_system.h"
#include "system/formulas.h"

namespace raak {

class RecordedSystem : public ConstrainedSystem {
 public:
  // Sizes are those of the formulas' rows, which are recorded once to count them.
  RecordedSystem(std::shared_ptr<const Formulas> formulas, int coordinates, int position_rows, int velocity_rows,
                 Description description);
  ~RecordedSystem() override;

  double accelerate(double t, const double* q, const double* v, double* a, double* lambda) const override;
  void accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                        double* smallest_pivot) const override;
  double correct_position(double t, double* q) const override;
  double correct_velocity(double t, const double* q, double* v) const override;
  void prepare(double t, const Vector& q) const override;

  void mass(double t, const Vector& q, Matrix& M) const override;
  void force(double t, const Vector& q, const Vector& v, Vector& f) const override;
  void constraint(double t, const Vector& q, Vector& g) const override;
  void velocity_constraint(double t, const Vector& q, const Vector& v, Vector& c_all) const override;
  void jacobian(double t, const Vector& q, Matrix& G) const override;
  void acceleration_bias(double t, const Vector& q, const Vector& v, Vector& bias) const override;
  void force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q, Matrix& f_v) const override;
  void inertia_stiffness(const State& state, Matrix& K) const override;

  Energy energy(double t, const Vector& q, const Vector& v) const override;
  double input_power(const State& state) const override;
  bool has_input_power() const override;
  bool accounts_for_energy() const override { return true; }
  const EnergyAccounts* energy_accounts() const override;
  void evaluate_outputs(const State& state, Vector& values) const override;
  void report(const State& state, State& shown) const override;

  // Cycles of one evaluation of the accelerations, as counted by Program::cost().
  double acceleration_cost(double t, const Vector& q) const;

 protected:
  const Formulas& formulas() const { return *formulas_; }
  // What the formulas report, into vectors of the given sizes; lambda as it is.
  void show(const State& state, int positions, int velocities, State& shown) const;
  using ConstrainedSystem::set_reported;

 private:
  enum class Which {
    mass,
    force,
    constraint,
    residual,
    jacobian,
    bias,
    force_derivatives,
    stiffness,
    energy,
    power,
    outputs,
    report,
    solution,
    position_correction,
    velocity_correction
  };
  static constexpr std::size_t kernels = 15;
  // A kernel and where its outputs go: (row, column) of a matrix, or the place in a vector.
  struct Entry {
    std::once_flag once;
    std::unique_ptr<Kernel> kernel;
    std::vector<std::pair<int, int>> places;
    int outputs = 0;
  };
  class Recording;

  const Entry& entry(Which which) const;
  void record(Which which, Recording& recording) const;
  // Entries of the pose lie `stride` apart.
  const Kernel& accelerations(double t, const double* q, int stride = 1) const;
  std::unique_ptr<Kernel> record_accelerations(double t, const double* q) const;
  MotionTerms motion_terms(const RecordedState& x) const;
  std::vector<Gradient> jacobian_rows(const RecordedState& x) const;
  Reals velocity_residual(const RecordedState& x) const;
  // The first `count` outputs for one state; valid until the next call in this thread.
  const double* evaluate(Which which, double t, const double* q, const double* v, const double* a,
                         const double* lambda) const;
  void fill(Which which, const double* values, Matrix& matrix) const;

  std::shared_ptr<const Formulas> formulas_;
  mutable std::array<Entry, kernels> entries_;
  mutable std::once_flag accelerations_once_, accounts_once_;
  mutable std::unique_ptr<EnergyAccounts> accounts_;
  mutable std::unique_ptr<Kernel> accelerations_;
};

}  // namespace raak

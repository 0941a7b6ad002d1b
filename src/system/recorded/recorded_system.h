// A ConstrainedSystem from formulas whose sizes are known at run time only. Every function of the contract is a
// recorded kernel, derived by differentiation on the tape (motion_terms.h) and made at its first use; those of an
// integrator's inner loop are kernel_system.h.
#pragma once
#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "base/tape/kernel.h"
#include "system/recorded/kernel_system.h"
#include "system/sparse_equations.h"

namespace raak {

class RecordedSystem : public KernelSystem, public SparseEquations {
 public:
  // Sizes are those of the formulas' rows, which are recorded once to count them.
  RecordedSystem(std::shared_ptr<const Formulas> formulas, int coordinates, int position_rows, int velocity_rows,
                 Description description);
  ~RecordedSystem() override;

  void mass(double t, const Vector& q, Matrix& M) const override;
  void force(double t, const Vector& q, const Vector& v, Vector& f) const override;
  void constraint(double t, const Vector& q, Vector& g) const override;
  void velocity_constraint(double t, const Vector& q, const Vector& v, Vector& c_all) const override;
  void jacobian(double t, const Vector& q, Matrix& G) const override;
  void acceleration_bias(double t, const Vector& q, const Vector& v, Vector& bias) const override;
  void force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q, Matrix& f_v) const override;
  void inertia_stiffness(const State& state, Matrix& K) const override;

  void sparse_mass(double t, const Vector& q, SparseMatrix& M) const override;
  void sparse_jacobian(double t, const Vector& q, SparseMatrix& G) const override;
  void sparse_force_derivatives(double t, const Vector& q, const Vector& v, SparseMatrix& f_q,
                                SparseMatrix& f_v) const override;
  void sparse_inertia_stiffness(const State& state, SparseMatrix& K) const override;

  Energy energy(double t, const Vector& q, const Vector& v) const override;
  double input_power(const State& state) const override;
  bool has_input_power() const override;
  bool accounts_for_energy() const override { return formulas().accounts_for_energy(); }
  const EnergyAccounts* energy_accounts() const override;
  void evaluate_outputs(const State& state, Vector& values) const override;
  void report(const State& state, State& shown) const override;
  void report_motion(const State& state, State& shown) const override { RecordedSystem::report(state, shown); }
  bool outputs_need_forces() const override;

 protected:
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
    report
  };
  static constexpr std::size_t functions = 12;
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
  // The outputs for one state; valid until the next call in this thread.
  const double* evaluate(Which which, double t, const double* q, const double* v, const double* a,
                         const double* lambda) const;
  void fill(Which which, const double* values, Matrix& matrix) const;
  // Of the columns from `first` on, as many as the matrix has.
  void fill(Which which, const double* values, int first, SparseMatrix& matrix) const;

  mutable std::array<Entry, functions> entries_;
  mutable std::once_flag accounts_once_;
  mutable std::unique_ptr<EnergyAccounts> accounts_;
};

}  // namespace raak

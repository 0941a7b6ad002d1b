// The one contract between physics and numerics: a constrained mechanical system
//   M(t,q) v' = f(t,q,v) - G' lambda,   q' = v,
//   0 = g(t,q)        position rows (holonomic, may depend on time),
//   0 = c(t,q,v)      velocity rows (non-holonomic, linear in v),
// with G = [dg/dq; dc/dv]. Differentiated once and twice: c_all(t,q,v) = [g'; c] = 0 and G v' = bias(t,q,v).
// A system is immutable and may be shared by threads. Equations written by hand (equations.h) and assembled mechanisms
// look the same from here. Symbols: docs/notation.md.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/linear/linear.h"
#include "base/pack.h"
#include "system/row.h"
#include "system/state.h"

namespace raak {

class EnergyAccounts;
class EquationKernels;
class Partition;
struct PivotPlan;

// Names a person would recognise; sizes are those of the vectors.
struct Description {
  std::vector<std::string> coordinates;        // of q, v and a
  std::vector<Row> constraints;                // position rows, then velocity rows
  std::vector<std::string> outputs;            // derived quantities beyond the energies
  std::vector<std::string> units = {};         // of q, "m" or "rad"; empty: unknown
  std::vector<std::string> output_units = {};  // empty: unknown
  // What is long in the system, m: gaps and ways in units of "m" are compared with it.
  double length = 1.0;
};

// Names of what report() shows: body coordinates and joint rows in the order of a model file, whatever is solved for.
struct ReportedNames {
  std::vector<std::string> positions;
  std::vector<std::string> velocities;                                // of v and a
  std::vector<Row> rows;                                              // of lambda
  std::vector<std::string> position_units = {}, velocity_units = {};  // empty: unknown
};

// The velocity that the rate of a planar body stands for: that of "arm.angle" for "arm.omega".
std::optional<std::string> velocity_of_rate(const ReportedNames& names, const std::string& rate);

struct Energy {
  double kinetic = 0.0;    // J
  double potential = 0.0;  // J
  double input = 0.0;      // J, the part of the external work that is a function of the state
};

class ConstrainedSystem {
 public:
  virtual ~ConstrainedSystem() = default;

  const Description& description() const { return description_; }
  int coordinates() const { return coordinates_; }      // n
  int position_rows() const { return position_rows_; }  // of g
  int velocity_rows() const { return velocity_rows_; }  // of c
  int rows() const { return position_rows_ + velocity_rows_; }
  int outputs() const { return static_cast<int>(description_.outputs.size()); }

  // --- what an integrator calls in its inner loop ---------------------------------------------------------------
  // Accelerations and multipliers of the index-1 equations. Returns the smallest relative pivot of G M^-1 G' (the
  // squared sine of the angle between constraint rows): near 0 the rows are dependent and the result is not to be
  // trusted.
  virtual double accelerate(double t, const double* q, const double* v, double* a, double* lambda) const = 0;
  // The same for `lanes` states at once; entry i of lane k lies at [lanes * i + k], 32-byte aligned. Both forms take a
  // null lambda where the multipliers are not wanted: that is faster.
  virtual void accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                                double* smallest_pivot) const = 0;
  // One Newton correction towards g = 0, shortest in the metric of M; returns the Euclidean norm of g before it.
  virtual double correct_position(double t, double* q) const = 0;
  // The correction of v that satisfies [g'; c] = 0, shortest in the metric of M; returns the norm before it.
  virtual double correct_velocity(double t, const double* q, double* v) const = 0;
  // Both: a Newton correction of q, and of v at the corrected q with one elimination: exact but for products of
  // the two changes, so that small ones leave nothing. Returns the norm of g before it.
  virtual double correct_state(double t, double* q, double* v) const;

  // The evaluations in independent coordinates (partition.h) with the pivots of a plan, made at the first request and
  // kept; null where the system has none of its own, and DensePartition must do.
  virtual const Partition* partition(const PivotPlan& /*plan*/) const { return nullptr; }

  // The equations as recorded kernels (equation_kernels.h), for methods that solve them in their own way; null where
  // the system has none, and the pieces below must do.
  virtual const EquationKernels* equation_kernels() const { return nullptr; }

  // False of so many coordinates that nothing of their square may be made: matrices, singular values. Their equations
  // are to be had in sparse form (sparse_equations.h).
  virtual bool has_dense_matrices() const { return true; }

  // Makes ready, at a typical configuration, what pays only if the system is evaluated thousands of times (machine
  // code): a hint, never needed.
  virtual void prepare(double /*t*/, const Vector& /*q*/) const {}

  // --- the pieces, for methods that build their own equations ---------------------------------------------------
  virtual void mass(double t, const Vector& q, Matrix& M) const = 0;
  // M_ii alone.
  virtual void mass_diagonal(double t, const Vector& q, Vector& diagonal) const;
  virtual void force(double t, const Vector& q, const Vector& v, Vector& f) const = 0;
  virtual void constraint(double t, const Vector& q, Vector& g) const = 0;
  virtual void velocity_constraint(double t, const Vector& q, const Vector& v, Vector& c_all) const = 0;
  virtual void jacobian(double t, const Vector& q, Matrix& G) const = 0;
  virtual void acceleration_bias(double t, const Vector& q, const Vector& v, Vector& bias) const = 0;
  // df/dq and df/dv.
  virtual void force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q, Matrix& f_v) const = 0;
  // d(M a + G' lambda)/dq for fixed a and lambda: with f_q, the stiffness of the linearised equations.
  virtual void inertia_stiffness(const State& state, Matrix& K) const = 0;

  // --- where forces jump ------------------------------------------------------------------------------------------
  // Functions of t, q and v that change sign where a formula changes its branch (sign, abs, min, max): there forces
  // may jump or have a kink. A system that does not know them has none.
  virtual int switches() const { return 0; }
  virtual void evaluate_switches(double /*t*/, const Vector& /*q*/, const Vector& /*v*/, Vector& /*values*/) const {}

  // --- energy and outputs ---------------------------------------------------------------------------------------
  virtual Energy energy(double t, const Vector& q, const Vector& v) const = 0;
  // Rate at which drivers, dampers and external forces do work, beyond Energy::input.
  virtual double input_power(const State& state) const = 0;
  virtual bool has_input_power() const = 0;
  // False where neither a potential nor a power nor an input energy is declared: an energy balance then means nothing.
  virtual bool accounts_for_energy() const = 0;
  // The same part by part (energy_accounts.h); null where the system does not report them.
  virtual const EnergyAccounts* energy_accounts() const { return nullptr; }
  virtual void evaluate_outputs(const State& state, Vector& values) const = 0;
  // False where outputs are functions of t, q and v alone.
  virtual bool outputs_need_forces() const { return true; }

  // --- scales -----------------------------------------------------------------------------------------------------
  // What the size of each coordinate is compared with: the length of the description for a length, 1 for an angle and
  // where no unit is given.
  const Vector& coordinate_scales() const { return coordinate_scales_; }
  // With the length of a system whose numbers have changed (base/tape/live.h): not while others use it.
  void follow_length(double length) const;
  // The same of the rows.
  const Vector& row_scales() const { return row_scales_; }
  // The SI value of a residual of 1 in each row: ones but in a view in other units (scaled_view.h).
  const Vector& row_units() const { return row_units_; }

  // --- what users see -------------------------------------------------------------------------------------------
  // A system may be solved in coordinates of its own; results, references and starts go by these names and values.
  const ReportedNames& reported() const { return reported_; }
  virtual void report(const State& state, State& shown) const { shown = state; }
  // The same but for lambda, which may be anything: some systems find it by a solution of its own.
  virtual void report_motion(const State& state, State& shown) const { report(state, shown); }

 protected:
  ConstrainedSystem(int coordinates, int position_rows, int velocity_rows, Description description);
  void set_reported(ReportedNames names) { reported_ = std::move(names); }
  void set_row_units(const Vector& units) { row_units_ = units; }

 private:
  int coordinates_, position_rows_, velocity_rows_;
  mutable Description description_;
  ReportedNames reported_;
  mutable Vector coordinate_scales_, row_scales_;
  Vector row_units_;
};

// Fills a and lambda from t, q and v; returns the smallest relative pivot.
double update_accelerations(const ConstrainedSystem& system, State& state);

}  // namespace raak

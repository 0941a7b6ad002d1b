// Follows the energy of a system along its motion: T + V - T0 - V0 - W, where the work W = input - dissipation of
// drivers, external forces and dampers is known in closed form or summed up by eight-point Gauss quadrature over each
// step's dense output, or over parts of it where the power changes faster than the motion. Several entries inside of
// one step share a Legendre series of its power. What is left over is what projection onto the constraints and the
// integrator added.
#pragma once
#include <vector>

#include "methods/resumable.h"
#include "system/constrained_system.h"
#include "system/energy_accounts.h"

namespace raak {

// The whole account of a run, J. The balance T + V - T0 - V0 - W is projection + integrator.
struct Ledger {
  struct Entry {
    EnergyAccount account;
    double start = 0.0, end = 0.0;  // of a potential; the work of the others begins at 0
  };
  double kinetic_start = 0.0, kinetic_end = 0.0;
  double input = 0.0;            // work of forces by a law of their own, of moving supports and of drivers
  double dissipation = 0.0;      // what dampers took, counted positive
  double balance_between = 0.0;  // the largest balance seen between the ends of steps; nan: nobody looked there
  std::vector<Entry> entries;    // potentials, then works
  double projection = 0.0;       // added by bringing q and v back to the constraints
  double integrator = 0.0;       // added by the steps themselves
  bool projects = false;         // the method brings q and v back at all
  bool is_known = true;          // false: nobody looked at the run
};

class EnergyLedger {
 public:
  struct Entry {
    double kinetic = 0.0, potential = 0.0, input = 0.0, dissipation = 0.0, balance = 0.0;  // J
  };

  // Work is summed up to `tolerance` of the energy that moves.
  EnergyLedger(const ConstrainedSystem& system, double tolerance);
  // Before anything else.
  void begin(const State& start);

  // The entry for a state inside the step that begins where the last one was closed.
  Entry entry(const State& state, Integrator& step);
  // The same at the end of that step, from which the next one begins.
  Entry close_step(const State& state, Integrator& step);
  Entry at_start() const;

  // J of each account at the state of the last entry; its potentials are evaluated here.
  void accounts_at(const State& state, Vector& energies);
  // The same at any state: what is stored there, and nan for the works.
  void stored_at(const State& state, Vector& energies) const;
  // The account of the run up to a state of which `entry` was made last.
  Ledger close(const State& state, const Entry& entry);

  void visit_state(Archive& archive) {
    archive(step_start_, work_, work_now_, projection_, projects_, size_);
    scratch(system_, tolerance_, accounts_, start_, potentials_at_start_, node_, rates_, free_q_, free_v_, power_,
            at_nodes_, last_, largest_, series_serves_, entries_in_step_);
  }

 private:
  bool sums_up_work() const;
  void update_rates(double t, Integrator& step);  // of work there
  void add_work_since_step_start(double t, Integrator& step, Vector& work);
  void add_work(double from, double to, Integrator& step, double allowed, int halvings, Vector& work);
  void add_work_by_series(double t, Integrator& step, Vector& work);
  bool is_damper(Eigen::Index work) const;
  double energy_of(double t, const Vector& q, const Vector& v) const;

  const ConstrainedSystem& system_;
  double tolerance_;
  const EnergyAccounts* accounts_ = nullptr;
  Energy start_;
  Vector potentials_at_start_;
  double step_start_ = 0.0;
  Vector work_;      // up to step_start_, by account
  Vector work_now_;  // up to the state of the last entry
  double projection_ = 0.0;
  bool projects_ = false;
  double size_ = 0.0;  // J, of what has moved
  State node_;
  Vector rates_, free_q_, free_v_;
  Matrix power_;            // Legendre series over the step, one row for each work; empty: not known yet
  Matrix at_nodes_, last_;  // rates at the nodes of a part of the step, and the last terms of their series
  Vector largest_;          // of the rates, each
  bool series_serves_ = true;
  int entries_in_step_ = 0;
};

}  // namespace raak

// What a constrained system is made of, as formulas over the recording scalar with sizes known at run time. Everything
// else (Jacobian, bias, accelerations, corrections, stiffness) is derived from them by recorded_system.h.
#pragma once
#include <optional>

#include "base/tape/live.h"
#include "system/elimination/elimination.h"
#include "system/energy_accounts.h"

namespace raak {

struct RecordedState {
  Recorded t;
  Reals q, v, a, lambda;
};

// A part of the potential in J, or of the power in W.
struct EnergyTerm {
  EnergyAccount account;
  Recorded value;
};

class Formulas {
 public:
  virtual ~Formulas() = default;

  virtual void mass(const Recorded& t, const Reals& q, SymmetricEntries& M) const = 0;
  // f has a zero for each coordinate.
  virtual void force(const Recorded& t, const Reals& q, const Reals& v, Reals& f) const = 0;
  // Appends the rows of g.
  virtual void constraint(const Recorded& t, const Reals& q, Reals& g) const = 0;
  // Appends the rows of c, linear in v.
  virtual void velocity_constraint(const Recorded& /*t*/, const Reals& /*q*/, const Reals& /*v*/, Reals& /*c*/) const {}

  // Where these are known with fewer operations than differentiation takes: slopes of all rows, [g'; c], and the bias
  // of G v' = bias.
  virtual std::optional<std::vector<Gradient>> jacobian(const RecordedState& /*x*/) const { return {}; }
  virtual std::optional<Reals> velocity_residual(const RecordedState& /*x*/) const { return {}; }
  virtual std::optional<Reals> bias(const RecordedState& /*x*/) const { return {}; }

  // J, and W: the rate of work of what is not in the potential (the work of constraints is derived).
  virtual Recorded potential(const Recorded& /*t*/, const Reals& /*q*/) const { return {0.0}; }
  virtual Recorded power(const Recorded& /*t*/, const Reals& /*q*/, const Reals& /*v*/) const { return {0.0}; }
  // J: that work where it is a function of the state; there is no power then.
  virtual std::optional<Recorded> input_energy(const Recorded& /*t*/, const Reals& /*q*/) const { return {}; }
  virtual bool accounts_for_energy() const { return true; }
  // False: nothing in them depends on time alone or has branches, which need not be looked for.
  virtual bool may_depend_on_time_or_branch() const { return true; }
  // J of an energy of 1, where the equations are scaled.
  virtual Live energy_unit() const { return 1.0; }
  // Their parts, force by force.
  virtual std::vector<EnergyTerm> energy_terms(const Recorded& t, const Reals& q, const Reals& v) const {
    return {{{EnergyAccount::Kind::potential, "potential"}, potential(t, q)},
            {{EnergyAccount::Kind::input, "forces"}, power(t, q, v)}};
  }
  // Appends the outputs of the description.
  virtual void outputs(const RecordedState& /*state*/, Reals& /*values*/) const {}

  // What users see instead of q and v (see ConstrainedSystem::report); accelerations follow by differentiation.
  virtual Reals reported_positions(const Recorded& /*t*/, const Reals& q) const { return q; }
  virtual Reals reported_velocities(const Recorded& /*t*/, const Reals& /*q*/, const Reals& v) const { return v; }
};

}  // namespace raak

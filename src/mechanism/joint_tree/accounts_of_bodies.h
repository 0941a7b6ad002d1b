// Energy accounts of a system in the coordinates of a tree by those in the coordinates of its bodies. No account reads
// multipliers: a tree has no rows that move.
#pragma once
#include <functional>
#include <utility>

#include "system/energy_accounts.h"

namespace raak {

using FindBodies = std::function<State(double t, const Vector& q, const Vector& v)>;

class AccountsOfBodies final : public EnergyAccounts {
 public:
  AccountsOfBodies(const EnergyAccounts& of_bodies, FindBodies find) : of_bodies_(of_bodies), find_(std::move(find)) {
    potentials_ = of_bodies.potentials();
    works_ = of_bodies.works();
    closed_form_ = of_bodies.work_in_closed_form();
  }
  void potential_energies(double t, const Vector& q, Vector& energies) const override {
    of_bodies_.potential_energies(t, find_(t, q, Vector::Zero(q.size())).q, energies);
  }
  void work_rates(const State& state, Vector& rates) const override {
    of_bodies_.work_rates(find_(state.t, state.q, state.v), rates);
  }

 private:
  const EnergyAccounts& of_bodies_;
  FindBodies find_;
};

}  // namespace raak

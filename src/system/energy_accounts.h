// Where the energy of a system is and where it comes from: the potential of each spring and of gravity, the work of
// each force, damper and driver. The parts add up to Energy::potential and to ConstrainedSystem::input_power.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "system/state.h"

namespace raak {

struct EnergyAccount {
  enum class Kind {
    potential,    // energy that is stored
    input,        // work of forces by a law of their own, and of supports that move
    dissipation,  // work of dampers
    driver        // work of constraints that move in time
  };
  Kind kind = Kind::potential;
  std::string name;  // of the force, joint or driver
};

class EnergyAccounts {
 public:
  virtual ~EnergyAccounts() = default;

  const std::vector<EnergyAccount>& potentials() const { return potentials_; }
  const std::vector<EnergyAccount>& works() const { return works_; }
  // The work is a function of the state, Energy::input: there is one account, and work_rates() is not asked for.
  bool work_in_closed_form() const { return closed_form_; }

  virtual void potential_energies(double t, const Vector& q, Vector& energies) const = 0;  // J
  virtual void work_rates(const State& state, Vector& rates) const = 0;                    // W

 protected:
  EnergyAccounts() = default;
  std::vector<EnergyAccount> potentials_, works_;
  bool closed_form_ = false;
};

inline const std::string& kind_name(EnergyAccount::Kind kind) {
  static const std::string names[] = {"potential", "input", "dissipation", "driver"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace raak

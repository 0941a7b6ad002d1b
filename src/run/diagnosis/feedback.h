// The force behind a motion that runs away: the one that does most of the work, and how it grows with the velocity and
// the position that it drives. With x'' = c x^r v^p the motion grows exponentially for r + p = 1 and has no value
// beyond a finite time for r + p > 1.
#pragma once
#include <optional>
#include <string>

#include "system/constrained_system.h"
#include "system/energy_accounts.h"

namespace raak {

struct Feedback {
  std::string force;
  EnergyAccount::Kind kind = EnergyAccount::Kind::input;
  double power_of_velocity = 0.0;  // p, of a force by a law of its own or a damper
  double power_of_position = 0.0;  // r, of the same
  bool is_power = true;            // of the position; a force may grow with it in other ways

  bool feeds() const;  // it grows with what it drives
};

// None: no force does most of the work, or the system does not know. `direction`: 1, or -1 for a run backwards.
std::optional<Feedback> find_feedback(const ConstrainedSystem& system, const State& at, double direction);

// "the force "gas" grows with the square of the velocity that it acts along, and drives it: ..."
std::string text_of(const Feedback& feedback, double t);
std::string advice_on(const Feedback& feedback);

}  // namespace raak

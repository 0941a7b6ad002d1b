// Runs backwards in time, where dampers feed the motion: what they damped at a rate d grows by exp(d T), and so does
// every error. Where errors grow faster than the motion does, Hadamard's third condition fails in practice: no
// tolerance gives digits of it. A motion that grows as its errors do keeps them.
#pragma once
#include <optional>
#include <string>

#include "run/integrate.h"
#include "run/warnings/error_growth.h"
#include "run/warnings/fastest_mode.h"

namespace raak {

// The mode of the motion linearized at a moment that dies out fastest: see fastest_mode().
FastestMode most_damped_mode(const ConstrainedSystem& system, const State& state);

// Before the first step of a run that goes backwards; none: dampers leave digits, or an event may end it before.
std::optional<Diagnosis> ill_posed_from(const ConstrainedSystem& system, const State& start, const Plan& plan);

// Where what makes the motion faster is what slows it forwards, dampers and forces of laws like theirs: the strongest
// of them. Empty: it is not.
std::string feeding_resistance(const ConstrainedSystem& system, const State& start, const State& now);

// On the way: whether velocities have grown so much that few of the digits asked for are left, unless errors are known
// to be small beside the motion. `errors` may be null.
bool has_lost_digits(const ConstrainedSystem& system, const State& start, const State& now, const Plan& plan,
                     const ErrorGrowth* errors);

}  // namespace raak

// A start that nobody has asked for may lie in a singular configuration, as that of a chain that was placed folded in a
// line, and at rest nothing decides how it goes on: bodies that are not listed are then placed along arcs.
#pragma once
#include <memory>

#include "kinematics/start/consistent_start.h"
#include "mechanism/formulas/mechanism_system.h"
#include "mechanism/rows/redundancy.h"

namespace raak {

// Replaces the motion found and the rows chosen there by those of a bent start, where one is not singular. `complete`
// is the system of all rows.
void leave_singular_rest(const std::shared_ptr<const MaximalFormulas>& all, const ConstrainedSystem& complete,
                         const StartRequest& start, State& found, RowChoice& choice);

}  // namespace raak

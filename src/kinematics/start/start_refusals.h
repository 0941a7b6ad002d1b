// What is said of a start whose constraints cannot be satisfied.
#pragma once
#include <vector>

#include "kinematics/start/open_joints.h"
#include "system/constrained_system.h"

namespace raak {

// Throws where a position row has no value at the start.
void require_values(const ConstrainedSystem& system, double t, const Vector& start);

// Throws the StartFailure of a start whose position rows stay open.
[[noreturn]] void refuse_open_joints(const ConstrainedSystem& system, std::vector<OpenJoint> open);

// Of a configuration q whose gaps are too small to name joints by, but no rounding.
[[noreturn]] void refuse_almost_closed(const ConstrainedSystem& system, double t, const Vector& q);

// Throws where these rates agree after all, though with speeds that rounding makes: the configuration is singular but
// for it.
void refuse_rates_beside_singularity(const ContradictingRates& rates, double fastest);

// Of a start where accelerations have no value: names the forces without one.
[[noreturn]] void refuse_undefined_forces(const ConstrainedSystem& system, State state);

}  // namespace raak

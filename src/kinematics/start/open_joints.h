// What of a mechanism cannot close, by how much: the least set of joints that stay open while all others hold, found by
// least squares with growing weights on the others (Nocedal and Wright, Numerical Optimization, 2nd ed., 17.1).
#pragma once
#include <string>
#include <vector>

#include "kinematics/start/start_failure.h"
#include "system/configuration_bounds.h"
#include "system/constrained_system.h"

namespace raak {

// Gaps of positions or of rates gathered by the owner and the unit of their rows; what is below `closed` is left out,
// the largest comes first. `row_units` are the SI values of a gap of 1 (ConstrainedSystem::row_units).
std::vector<OpenJoint> gather_gaps(const std::vector<Row>& rows, const Vector& gaps, double closed,
                                   const Vector& row_units, Row::Level level = Row::Level::position);
// "C" stays open by 2 m, "weld" by 0.1 rad: in the words of a message; many are cut short.
std::string text_of(const std::vector<OpenJoint>& open, const std::string& what);

// The configuration with the least sum of squares of all gaps, in which the rows `held` hold (Nocedal and
// Wright, 10.3).
Vector least_open_configuration(const ConstrainedSystem& system, double t, const Vector& q,
                                const std::vector<int>& held);

// Of the position rows at time t near q; those that may be wrong give way first, if they can close the others.
// None open: the configuration closes, whatever method failed to find one.
struct OpenJoints {
  Vector q;
  std::vector<OpenJoint> joints;
};
OpenJoints find_open_joints(const ConstrainedSystem& system, double t, const Vector& q,
                            const ConfigurationBounds& bounds = {});
// Of all rows at the level of velocities: few of those that may be wrong, which give way to all others, and those that
// they stand against. Of equals the last one gives way.
struct ContradictingRates {
  std::vector<OpenJoint> missed;
  std::vector<std::string> against;
};
ContradictingRates find_contradicting_rates(const ConstrainedSystem& system, double t, const Vector& q);

}  // namespace raak

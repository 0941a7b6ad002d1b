// A first guess for the configuration: listed coordinates as they are, the other bodies placed joint by joint from the
// ground and the listed ones. Newton's method does the rest (kinematics/start/consistent_start.h).
#pragma once
#include "kinematics/start/consistent_start.h"
#include "mechanism/instance.h"
#include "mechanism/start/joint_by_joint.h"

namespace raak {

// By reported names, with what the file trusts.
StartRequest placed_start(const Instance& instance, const std::vector<std::string>& positions,
                          const std::vector<std::string>& velocities);

// The bodies that [start] lists, the others yet to be placed.
Placement listed_bodies(const Instance& instance, const std::vector<std::string>& velocities);

// From reported coordinates to those of the bodies' centres of mass, and the same for the velocities.
State inner_state(const Instance& instance, double t, const Vector& q, const Vector& v);

}  // namespace raak

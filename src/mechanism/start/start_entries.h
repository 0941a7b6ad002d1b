// The names under [start]: coordinates and rates of bodies, whole vectors and single components of them.
#pragma once
#include <array>
#include <string>

#include "mechanism/instance.h"

namespace raak {

struct StartName {
  int body;
  std::string what;    // x, y, angle, vx, vy, omega; in space position, rotation, quaternion, velocity, omega
  int component = -1;  // in space 0, 1 or 2 for .x, .y or .z; -1: all of them
};

// Refuses names and counts of values that mean nothing. One component of a rotation can be trusted only where a joint
// to the ground leaves no other.
StartName read_start_entry(const Instance& instance, const StartEntry& entry);

// Refuses a quaternion that is not one of unit length, and makes it one to the last digit.
// Refuses a rotation vector whose angle has no digits left.
void require_sensible_rotation(const StartEntry& entry, double x, double y, double z);
void require_unit_length(const StartEntry& entry, std::array<double, 4>& quaternion);

}  // namespace raak

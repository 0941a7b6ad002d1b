// The forces: each is one file and one line in catalogue.cpp.
#pragma once
#include <string>
#include <vector>

#include "mechanism/element.h"

namespace raak {

struct ForceInfo : ElementInfo {
  // Adds its potential and its forces; the scene knows t, q and v.
  void (*apply)(const ElementScene& force, ForceSink& sink) = nullptr;
  // In space: whether it reads an angle that counts turns, and that angle as a TurnGauge reads it, rad; a null angle,
  // or one that is no more than 0: it reads none.
  bool (*counts_turns)(const Instance& instance, const Element& force) = nullptr;
  Real (*turn)(const ElementScene& force) = nullptr;
  // Where the second of its axes points, in two directions across the first and along it; null or 0: no axes of it
  // tilt.
  Vector3 (*tilt)(const ElementScene& force) = nullptr;
};

const std::vector<ForceInfo>& force_catalogue();
// Null if there is none of that name.
const ForceInfo* find_force(const std::string& type);

ForceInfo spring_force();
ForceInfo torsion_spring_force();
ForceInfo bushing_force();
ForceInfo point_force();
ForceInfo torque_force();
ForceInfo actuator_force();

}  // namespace raak

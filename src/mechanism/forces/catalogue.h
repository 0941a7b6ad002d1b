// The forces: each is one file and one line in forces.def.
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
  // Of a force along the line between its two points: what to try instead where a joint keeps these together, so that
  // the line has no direction; nothing where it needs none.
  std::optional<std::string> (*needs_direction)(const Instance& instance, const Element& force) = nullptr;
};

const std::vector<ForceInfo>& force_catalogue();
// Null if there is none of that name.
const ForceInfo* find_force(const std::string& type);
// The entry of a force whose type has been checked.
inline const ForceInfo& info_of_force(const Element& force) {
  return *find_force(force.type);
}

#define FORCE(name) ForceInfo name##_force();
#include "mechanism/forces/forces.def"
#undef FORCE

}  // namespace raak

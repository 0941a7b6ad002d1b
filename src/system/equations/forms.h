// The forms of the equations of motion, by the level at which a method imposes the constraints (docs/notation.md).
#pragma once
#include <string>
#include <vector>

namespace raak {

// index1-plain: the accelerations of index 1 are integrated and nothing brings q and v back to the constraints, so that
// the drift of the positions (about t^2) and of the velocities (about t) can be seen.
inline const std::vector<std::string>& form_names() {
  static const std::vector<std::string> names{"index1", "index2", "index3", "ggl", "index1-plain"};
  return names;
}

// Whether the form keeps the constraints themselves, and their rates, to rounding errors.
inline bool holds_positions(const std::string& form) {
  return form != "index2" && form != "index1-plain";
}
inline bool holds_velocities(const std::string& form) {
  return form != "index1-plain";
}

}  // namespace raak

// Where a configuration can lie, by the size of a mechanism. Two guides side by side never meet, but far enough away a
// tiny angle spans any gap between them: there the equations seem to hold, and Newton's method goes there.
#pragma once
#include <vector>

#include "system/state.h"

namespace raak {

struct ConfigurationBounds {
  double size = 0.0;             // m, of the mechanism and the gaps in its guess; 0: not known, all configurations do
  Vector given;                  // the configuration from which distances count
  std::vector<int> coordinates;  // those that are lengths
  std::vector<int> rows;         // position rows that are lengths

  // How far, in sizes, a coordinate lies from where it was given, at most.
  double distance(const Vector& q) const;
  bool are_near(const Vector& q) const;
  // Whether the gaps at q are no more than a search leaves of them, and rounding.
  bool are_closed(const Vector& q, const Vector& gaps) const;
};

}  // namespace raak

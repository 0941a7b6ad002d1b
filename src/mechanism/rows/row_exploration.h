// Configurations that a mechanism can come to from its start, and the combinations of rows that vanish there: walks in
// random directions on the constraints, and the way that velocities and drivers lead.
#pragma once
#include <vector>

#include "mechanism/formulas/maximal.h"
#include "mechanism/rows/row_selection.h"

namespace raak {

// Combinations of rows that vanish at a configuration, as seen by the rows of each set of directions at unit length.
struct SeenRows {
  int steps = 0;  // from the start
  VanishingRows rows;
  std::vector<Matrix> parts;
};

// In which coordinates count as 1: a length of the mechanism for positions.
Vector coordinate_units(const Instance& instance);

// The start comes first; nothing where it is singular.
std::vector<SeenRows> explore_rows(const MaximalFormulas& formulas, const ConstrainedSystem& system,
                                   const State& motion, int rank);

}  // namespace raak

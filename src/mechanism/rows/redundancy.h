// Which constraint rows are independent. Ranks are taken in the scaling of geometry J = D^-1 G W^(-1/2) with unit rows,
// W the squares of what the coordinates move in lengths of the mechanism (mechanism_size.h), at the start and at nearby
// configurations; the kept rows are the first of a pivoted QR of J' (Golub and Van Loan, Matrix Computations, 4th
// ed., 5.4.2). A joint's reaction is unique if and only if the null space of J' vanishes on its rows (Fraczek and
// Wojtyra 2011).
#pragma once
#include <vector>

#include "kinematics/model.h"
#include "mechanism/formulas/maximal.h"
#include "mechanism/rows/row_selection.h"

namespace raak {

struct RowChoice {
  std::vector<std::size_t> kept;           // places among all rows, ascending
  std::vector<int> directions;             // of all rows
  std::vector<std::size_t> indeterminate;  // rows whose multipliers are not unique somewhere along the motion
  double t = 0.0;                          // when, and
  Vector q;                                // the configuration where the rank was found
  std::vector<VanishingRows> seen;         // there, and at other configurations of the motion
  MobilityReport report;
};

// `system` has all rows of `formulas`, which `motion` satisfies.
RowChoice choose_rows(const MaximalFormulas& formulas, const ConstrainedSystem& system, const State& motion);

}  // namespace raak

// Which constraint rows are independent. Ranks are taken in the mass scaling J = D^-1 G M^(-1/2) with unit rows at the
// start and at nearby poses; the kept rows are the first of a pivoted QR of J' (Golub and Van Loan, Matrix
// Computations, 4th ed., 5.4.2). A joint's reaction is unique if and only if the null space of J' vanishes on its rows
// (Fraczek and Wojtyra 2011).
#pragma once
#include <vector>

#include "mechanism/maximal.h"
#include "system/model.h"

namespace raak {

struct RowChoice {
  std::vector<std::size_t> kept;           // places among all rows, ascending
  std::vector<std::size_t> indeterminate;  // rows whose multipliers are not unique
  double t = 0.0;                          // when, and
  Vector q;                                // the pose where the rows were chosen
  Matrix null_space;                       // of G' there, a row for each of all rows
  MobilityReport report;
};

// `system` has all rows of `formulas`, which `motion` satisfies.
RowChoice choose_rows(const MaximalFormulas& formulas, const ConstrainedSystem& system, const State& motion);

}  // namespace raak

// Which rows to leave out where a mechanism has more than it needs, and in which directions. The rows without those
// left out stay independent as long as the combinations of rows that vanish (the null space of G') do not vanish on
// what is left out. So rows are left out whose part in that null space is large at every configuration along the
// motion, not at the start only: parts change, and where one vanishes, the rows kept become dependent although the
// mechanism is not singular. A pivoted QR of the null spaces (Golub and Van Loan, Matrix Computations, 4th ed., 5.4.2)
// whose pivot is the best one at the worst configuration. In directions that move with the bodies
// (Rows::begin_components) parts do not change when the whole turns: where those of the ground will not do, rows are
// taken in such.
#pragma once
#include <vector>

#include "mechanism/formulas/maximal.h"

namespace raak {

// Where the rows were looked at: G' vanishing = 0, a row for each of all rows, in directions of set 0.
struct VanishingRows {
  double t = 0.0;
  Vector q;
  Matrix vanishing;
};

struct RowSelection {
  std::vector<std::size_t> kept;  // places among all rows, ascending
  std::vector<int> directions;    // of all rows
  std::vector<VanishingRows> seen;
};

// So many rows as `rank` that stay independent for long; unit lengths are always among them. `system` has all rows of
// `formulas` in directions of set 0; `motion` satisfies them. Nothing is kept where the start is singular.
RowSelection select_lasting_rows(const MaximalFormulas& formulas, const ConstrainedSystem& system, const State& motion,
                                 int rank);

// Directions that move with bodies for all rows.
std::vector<int> moving_directions(const MaximalFormulas& formulas);

}  // namespace raak

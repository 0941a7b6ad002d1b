// Improves a choice of redundant rows to drop by exchanging one row at a time. The rows kept are independent where the
// null space N of G', seen by the k rows dropped, has a determinant other than zero. Along a path of configurations it
// must keep its sign too: where it changes, the rows kept are dependent in between, though the mechanism is not
// singular. The determinant is linear in each row, so that its cofactors judge all exchanges of
// that row (Goreinov, Tyrtyshnikov and Zamarashkin 1997 on submatrices of large volume).
#pragma once
#include <vector>

#include "base/linear/linear.h"
#include "mechanism/formulas/maximal.h"

namespace raak {

struct DroppedRow {
  std::size_t row;  // among all rows
  int set;          // of directions
};

// The null space at a configuration, as seen by the rows of each set of directions, and the one it was reached from.
struct NullSpaceSeen {
  const std::vector<Matrix>* parts;
  std::size_t before;
};

// The smallest determinant over the configurations, in the sign that it has at the first; below zero: it changes its
// sign on the way. To the power 1/k, so that numbers of different counts of rows compare.
double lasting_volume(const std::vector<NullSpaceSeen>& seen, const std::vector<DroppedRow>& dropped);

// Exchanges rows as long as that grows the volume. Rows of one vector keep the same directions.
double exchange_rows(const std::vector<MechanismRow>& owners, const std::vector<NullSpaceSeen>& seen,
                     std::vector<DroppedRow>& dropped);

}  // namespace raak

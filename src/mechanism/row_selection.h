// Which rows to leave out where a mechanism has more than it needs. The rows without those left out stay independent
// as long as the null space of G' does not vanish on what is left out. So rows are left out whose part in that null
// space is large at every pose along the motion, not at the start only: parts change, and where one vanishes, the rows
// kept become dependent although the mechanism is not singular. A pivoted QR of the null spaces (Golub and Van Loan,
// Matrix Computations, 4th ed., 5.4.2) whose pivot is the best one at the worst pose.
#pragma once
#include <vector>

#include "mechanism/maximal.h"

namespace raak {

// Replaces the rows to keep, places among all rows, ascending, by as many that stay independent for longer; unit
// lengths are always among them. Leaves them as they are where the start is singular. `system` has all rows; (t, q) is
// a pose that satisfies them.
void prefer_lasting_rows(const std::vector<RowOwner>& owners, const ConstrainedSystem& system, double t,
                         const Vector& q, std::vector<std::size_t>& kept);

}  // namespace raak

// Motions that constraints leave at first order only, as the middle pin of two bars in line between fixed pins has one:
// a structure in a singular configuration, not a mechanism. A velocity u in the null space of G can be continued only
// where accelerations exist, G a = b(u) with b quadratic in u: w' b(u) = 0 for each w with w' G = 0. Where a
// combination of these quadratic forms is positive on some of the null space and nowhere negative, no motion has a part
// there (Connelly and Whiteley, Second-order rigidity and prestress stability for tensegrity frameworks, SIAM J.
// Discrete Math. 9, 1996).
#pragma once
#include "system/constrained_system.h"

namespace raak {

// How many independent ones there are at a configuration of a system without velocity rows and without prescribed
// motions, whose constraints have the given rank.
int infinitesimal_motions(const ConstrainedSystem& system, double t, const Vector& q, int rank);

}  // namespace raak

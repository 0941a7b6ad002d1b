// The static equilibrium that a mechanism comes to from a configuration, drivers held: f = G' lambda at zero rates,
// found along the flow M q' = f - G' lambda by implicit steps that grow into Newton's method,
//   (K + M/tau) dq + G' lambda = f,   G dq = -g.
// C.T. Kelley and D.E. Keyes, Convergence analysis of pseudo-transient continuation, SIAM J. Numer. Anal. 35 (1998)
// 508-523. The flow goes downhill, so that a configuration which is no equilibrium leads to a stable one.
#pragma once
#include <atomic>
#include <string>

#include "study/modes/rest_equations.h"

namespace raak {

struct EquilibriumSearch {
  bool found = false;
  bool singular = false;  // it came to a configuration where the equations are not determined
  Vector q;               // the equilibrium, or where the search ended
  int steps = 0;
  std::string moving;  // of a search without success: the coordinates that go on most, in quotes
};

// `stop`: set by Ctrl-C.
EquilibriumSearch find_equilibrium(RestEquations& equations, const Vector& start,
                                   const std::atomic<bool>* stop = nullptr);

// Whether the forces balance at the configuration that was evaluated last.
bool is_balanced(const RestEquations& equations);

}  // namespace raak

// Tolerances of error estimates in relative coordinates, by which those of the parts are as right as where they are
// solved for.
#pragma once
#include <algorithm>

#include "methods/method.h"
#include "system/relative_coordinates.h"

namespace raak {

inline Tolerances judged_for(const ConstrainedSystem& system, Tolerances tolerances) {
  constexpr double finest = 1e-13;  // below it rounding decides
  const double times = strictness_of(system).of_estimates;
  if (times == 1.0) return tolerances;
  for (Tolerance* const level : {&tolerances.q, &tolerances.v}) {
    const double by = std::min(1.0, std::max(1.0 / times, finest / level->rtol));
    level->rtol *= by;
    level->atol *= by;
    level->length_atol *= by;
    level->atols *= by;
  }
  return tolerances;
}

}  // namespace raak

// In which form the constraints are imposed, and where their rate of change along a motion is taken.
#pragma once
#include <algorithm>
#include <string>

#include "system/state.h"

namespace raak {

enum class Form { index1, index2, index3, ggl };
Form read_form(const std::string& name);

// The time, s, over which a central difference gives dG/dt along the motion: positions change by 1e-8 of their size.
inline double time_of_difference(const State& at, const Vector& scales) {
  const double size = 1e-3 * at.q.cwiseQuotient(scales).lpNorm<Eigen::Infinity>() + 1e-3;
  return 1e-5 * size / std::max(at.v.cwiseQuotient(scales).lpNorm<Eigen::Infinity>(), 1e-3 * size);
}

}  // namespace raak

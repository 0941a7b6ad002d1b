// From which growth on a motion is said to run away.
#pragma once
#include "base/linear.h"

namespace raak {

// Times the largest that there was at the start, and 1 of its unit: a cause to name where a run fails.
inline constexpr double runs_away = 1e6;
// The same: a run ends here. What the mechanism was at the start is no more than the rounding of what it has become.
inline constexpr double beyond_rounding = 1e15;

inline bool has_grown(const Vector& before, const Vector& now, double factor) {
  if (now.size() == 0) return false;
  return now.cwiseAbs().maxCoeff() > factor * (1.0 + before.cwiseAbs().maxCoeff());
}

inline bool has_run_away(const Vector& before, const Vector& now) {
  return has_grown(before, now, beyond_rounding);
}

}  // namespace raak

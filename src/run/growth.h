// From which growth on a motion is said to run away.
#pragma once

namespace raak {

// Times the largest that there was at the start, and 1 of its unit.
inline constexpr double runs_away = 1e6;

}  // namespace raak

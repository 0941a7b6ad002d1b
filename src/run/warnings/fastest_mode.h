// The fastest mode of the motion linearized at a moment: how quickly it dies out or vibrates, and which coordinates and
// forces carry it. With bases P and N of what the position rows and all rows allow, dq = P y and dv = N w obey
//   y' = P'N w,   (N'MN) w' = N'(f_q - K) P y + N'f_v N w,
// the constraints frozen at the moment. A motion is stiff where such a mode is much faster than the motion itself.
// Hairer, Wanner: Solving Ordinary Differential Equations II, IV.2 and VII.7.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "system/constrained_system.h"

namespace raak {

struct FastestMode {
  using Shares = std::vector<std::pair<std::string, double>>;  // largest first, of a sum of 1
  double t = 0.0;                                              // s
  double decay = 0.0;                                          // 1/s, positive where it dies out
  double frequency = 0.0;                                      // rad/s
  Shares coordinates;                                          // by kinetic energy
  Shares forces;                                               // springs and dampers, by what they do to it

  double speed() const;  // |decay + i frequency|, 1/s; 0: there is none
  bool decays() const { return decay > frequency; }
  bool grows() const { return -decay > frequency; }
};

// A motion and the rounding errors of its start, both carried by the linearized equations over a time.
struct LinearGrowth {
  double motion = 0.0;  // the way of the motion from its start, as a logarithm, in scales of the coordinates
  double errors = 0.0;  // the same of the errors
};
// Signed `span` in s; none: the linearized motion is not known, or its modes cannot be separated.
std::optional<LinearGrowth> linear_growth(const ConstrainedSystem& system, const State& state, double span);

// Nothing is found of systems too large for it, and of those whose derivatives are not finite.
FastestMode fastest_mode(const ConstrainedSystem& system, const State& state);

// "a mode that dies out at 8.0e+03 1/s, carried by "slider.z" and the forces "spring_right", "spring_left""
std::string text_of(const FastestMode& mode);

}  // namespace raak

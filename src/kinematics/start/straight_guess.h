// Guesses whose gaps close neither way to first order, as those of links that lie in one line: bending to either side
// is as good, and rounding errors would choose. Such a guess is bent a little, all angles to the left, before the
// search; to the left as the parts of the system see it (own_frames.h).
#pragma once
#include <vector>

#include "kinematics/start/consistent_start.h"

namespace raak {

// The guess of the request, bent where its gap lies in a combination of rows that depend on each other there. Of the
// motions that the rows leave, only those that close this gap to second order take part: whatever else is free stays
// where it is.
Vector guess_off_line(const ConstrainedSystem& system, const StartRequest& request, const std::vector<int>& trusted);

}  // namespace raak

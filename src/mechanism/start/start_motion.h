// Positions and velocities of a start: trusted values hold, guesses choose the branch, every row is satisfied.
#pragma once
#include <memory>

#include "kinematics/start/consistent_start.h"
#include "mechanism/formulas/mechanism_system.h"

namespace raak {

// They lead to the same motion.
inline bool asks_alike(const StartRequest& one, const StartRequest& other) {
  return one.t == other.t && one.q == other.q && one.v == other.v && one.trusted_positions == other.trusted_positions &&
         one.trusted_velocities == other.trusted_velocities && one.correct_positions == other.correct_positions;
}

// Rates that are trusted, and those that are guessed: these hold too where they can, since in or beside a singular
// configuration they show the branch of the motion.
std::vector<std::string> rates_given(const ReportedNames& names, const StartRequest& start);

// `complete` is the system of all rows of `formulas`. The state is in its coordinates, without accelerations. Throws a
// computation error where there is none (see make_consistent), or where a singular configuration leaves two motions.
State find_motion(const std::shared_ptr<const MaximalFormulas>& formulas, const ConstrainedSystem& complete,
                  const StartRequest& start);

}  // namespace raak

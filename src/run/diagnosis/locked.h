// A mechanism that is locked: a driver asks for more than its joints allow. There the rows of the constraints become
// dependent, u'G = 0, while the driver goes on, u'g_t != 0, so that no velocity obeys G v = -g_t; on the way there the
// velocities grow like u'g_t / sigma along the direction w that the joints leave open for a moment, and like the
// inverse root of the time left. In a singular configuration that can be passed u'g_t vanishes with sigma.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "run/integrate.h"

namespace raak {

struct Lock {
  double t = 0.0;                    // s, where the inverse root has its pole
  std::vector<std::string> drivers;  // that ask for more
  std::string position;              // "at 1.69 rad (96.7 degrees)", of the first; empty: not known
  std::vector<std::string> bodies;   // that the joints leave free to move for a moment
  std::vector<std::string> joints;   // of these bodies; of systems that know no joints: rows that are dependent
  bool in_line = false;              // these lie in one line, and the ends of a driven distance
};

// Whether the velocities of a run that ended at `last` come from such a configuration ahead.
std::optional<Lock> find_lock(const ConstrainedSystem& system, const State& start, const State& last);

void blame_lock(const Lock& lock, const Plan& plan, Diagnosis& found);

}  // namespace raak

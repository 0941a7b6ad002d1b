// A start in the coordinates of the system, without a search, where its guess is near: trusted angles determine it, and
// Newton's method contracts from its first step on, so that there is one configuration around the guess, to which every
// search from there leads (Deuflhard, Newton Methods for Nonlinear Problems, 2004, sections 2.1 and 3.3).
#pragma once
#include <optional>
#include <vector>

#include "kinematics/start/consistent_start.h"

namespace raak {

class NearStart {
 public:
  // `tree`: the coordinates of the bodies that are those of the system, which is in the plane and has all rows of its
  // mechanism; empty: all of them. `names`: of what is reported, which in the plane is in the order of the bodies'.
  NearStart(const ConstrainedSystem& system, const ReportedNames& names, const std::vector<int>& tree,
            const StartRequest& start);

  // Positions and velocities. `guess`: in the coordinates of the bodies; `start`: as the one that it was made with, but
  // for its numbers. None where the guess is not near, or where more than it decides on the start.
  std::optional<State> find(const ConstrainedSystem& system, const State& guess, const StartRequest& start) const;

 private:
  bool find_positions(const ConstrainedSystem& system, State& state) const;
  bool find_velocities(const ConstrainedSystem& system, State& state) const;

  std::vector<int> tree_;
  std::vector<char> is_trusted_rate_;   // by reported velocity
  std::vector<int> free_, free_rates_;  // coordinates of the system that are not trusted
  bool fits_ = false;                   // trusted angles determine positions
  bool rates_fit_ = false;              // and trusted rates the velocities
};

}  // namespace raak

// A start that satisfies the constraints at every level, found from the coordinates a user trusts: steps 1 to 7 of
// the algorithm of Mani, Haug and Atkinson (1985) as given by Starmans (TU Eindhoven DCT 1987.010, chapter 4).
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "system/configuration_bounds.h"
#include "system/constrained_system.h"
#include "system/own_frames.h"
#include "system/state.h"

namespace raak {

struct StartRequest {
  double t = 0.0;
  Vector q;  // trusted values and guesses: guesses choose the branch only
  Vector v;
  std::vector<std::string> trusted_positions;   // names of coordinates whose q holds
  std::vector<std::string> trusted_velocities;  // names of coordinates whose v holds
  // False keeps q as given, violated position rows included (the index-2 form never sees them).
  bool correct_positions = true;
  // Motions that neither constraints nor trusted coordinates fix keep their guesses instead of being refused.
  bool allow_free = false;
  // Where the guess leads to no position, these are tried, and then others around it.
  std::function<std::vector<Vector>()> other_guesses = {};
  bool look_around = false;
  const OwnFrames* frames = nullptr;  // in whose directions; null: those of the coordinates
  // A configuration of the branch that is meant: trusted values that differ from it are approached from there by small
  // steps.
  Vector known = {};
  ConfigurationBounds bounds = {};  // beyond them no configuration counts
};

// Throws a StartFailure: with the coordinates and the rank found where the trusted coordinates do not fix the motion or
// contradict the constraints, with what stays open, and by how much, where the mechanism cannot be assembled.
State make_consistent(const ConstrainedSystem& system, const StartRequest& request);

// Its positions alone.
Vector make_consistent_positions(const ConstrainedSystem& system, const StartRequest& request);
// Positions and velocities without accelerations and multipliers, which redundant constraints leave undetermined.
State make_consistent_motion(const ConstrainedSystem& system, const StartRequest& request);

// Refuses a state that has not as many positions, velocities, accelerations and multipliers as the system.
void require_sizes(const ConstrainedSystem& system, const State& start);
// Adds accelerations and multipliers to a consistent motion; refuses a singular configuration. False: the rows are
// dependent there, and they were found all the same.
bool complete_start(const ConstrainedSystem& system, State& state);
// The same where the rows are known to be independent: without looking at them. False: they may be not.
bool complete_regular_start(const ConstrainedSystem& system, State& state);
// The same motion, to the last bit if its accelerations and multipliers fit the equations; else with those that do. In
// a singular configuration they are those of complete_start, or the given ones if there are none and they hold the
// constraints.
State completed_start(const ConstrainedSystem& system, const State& start);

// Rank of the constraint Jacobian at (t, q), rows and columns scaled to comparable units: J = D^-1 G diag(M)^(-1/2).
struct RankReport {
  int rank = 0;
  int mobility = 0;        // n - rank
  Vector singular_values;  // of J, descending; none of a large system
};
RankReport constraint_rank(const ConstrainedSystem& system, double t, const Vector& q);

}  // namespace raak

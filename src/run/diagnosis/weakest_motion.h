// The motion that the constraints of a system resist least: of J = D^-1 G L^-T, M = L L', the smallest singular value
// and its vectors, u'J = sigma w'. Many rows are taken in sparse form, by inverse iteration (Golub and Van Loan, Matrix
// Computations, 2013, 8.2).
#pragma once
#include <optional>

#include "system/constrained_system.h"

namespace raak {

struct WeakestMotion {
  double smallest = 0.0, largest = 0.0;  // singular values
  Vector u;                              // by row, of rows with the lengths below
  Vector lengths;                        // of the rows of G L^-T, the larger of here and at the start
  Vector direction;                      // of the velocities: L'(direction) = w
  double speed = 0.0;                    // w'L'v of the motion
  double all_speed = 0.0;                // the length of L'v
  double change = 0.0;                   // w'L'a of the motion
  double all_change = 0.0;               // the length of L'a
};

// None where there are too many rows, or no numbers.
std::optional<WeakestMotion> find_weakest_motion(const ConstrainedSystem& system, const State& start, const State& last,
                                                 const Vector& asked);

}  // namespace raak

// Free vibrations of a constrained system about a configuration at rest. With the columns of N spanning what all rows
// allow,
//   (N'(K - f_q)N) x = omega^2 (N'MN) x,   X = N x,   X'MX = 1,
// f_q and K = d(M a + G' lambda)/dq taken at v = 0 with the accelerations and multipliers of rest, drivers held.
// Garcia de Jalon and Bayo, Kinematic and Dynamic Simulation of Multibody Systems, 1994, chapter 9.
#pragma once
#include <string>

#include "system/constrained_system.h"

namespace raak {

struct FreeVibrations {
  double t = 0.0;
  Vector q;        // the configuration
  Vector squares;  // omega^2, 1/s^2, ascending; negative where the configuration is unstable
  Matrix shapes;   // X, a column each
  Matrix M;        // at the configuration

  Eigen::Index count() const { return squares.size(); }
  double frequency(Eigen::Index mode) const;  // rad/s; 0 of an unstable one
};

// Throws a computation error where a matrix is not finite or the mass of a motion vanishes.
FreeVibrations free_vibrations(const ConstrainedSystem& system, double t, const Vector& q);

// The coordinates, as users know them, that move most with rates v at (t, q), in quotes: "q3", "q4"; and in a mode.
std::string carriers_of(const ConstrainedSystem& system, double t, const Vector& q, const Vector& v);
std::string carriers_of(const ConstrainedSystem& system, const FreeVibrations& vibrations, Eigen::Index mode);

}  // namespace raak

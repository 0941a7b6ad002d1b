// The small motions of a constrained mechanism about a configuration at rest: eigenvalues s and shapes x of
//   (s^2 M + s D + K) x + G' mu = 0,   G x = 0   (rest_equations.h),
// drivers held. F. Tisseur and K. Meerbergen, The quadratic eigenvalue problem, SIAM Review 43 (2001) 235-286.
#pragma once
#include <atomic>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "kinematics/model.h"
#include "study/modes/rest_equations.h"

namespace raak {

struct Mode {
  enum class Kind {
    rigid,       // s = 0: nothing holds it, and where it is put it stays or goes on
    vibration,   // with or without damping
    overdamped,  // s real and negative: it dies out without a swing
    unstable     // Re s > 0: it grows
  };
  std::complex<double> s;  // 1/s, Im s >= 0; of two roots without damping the one that grows
  Kind kind = Kind::vibration;
  // By the names of reported velocities, the largest 1; what is a quarter of a period ahead is in `quadrature`, empty
  // where all move in step.
  Vector shape, quadrature;
  Eigen::VectorXcd x;  // the same in the coordinates of the system

  double omega() const { return std::abs(s); }  // rad/s
  double damping() const;                       // -Re s / |s|, 0 of a rigid one
  double frequency() const;                     // Hz
};

const char* kind_name(Mode::Kind kind);

struct Modes {
  double t = 0.0;  // s, at which drivers are held
  Vector q;        // the configuration, in the coordinates of the system
  bool equilibrium = true;
  Eigen::Index freedoms = 0;
  int steps = 0;            // of the search for the equilibrium
  bool iterative = false;   // found by Arnoldi's method, not by dense matrices
  std::vector<Mode> modes;  // slowest first
};

struct ModesRequest {
  std::optional<double> at =
      std::nullopt;               // s: about the configuration of the motion then; none: about the equilibrium
  int count = 20;                 // modes wanted, the slowest first
  Eigen::Index most_dense = 300;  // coordinates: above, iterations take over where matrices are sparse
  const std::atomic<bool>* stop = nullptr;  // set by Ctrl-C
};

// Refusals name what is wrong and what to try: no equilibrium, a singular configuration, a motion without inertia.
Modes find_modes(const Model& model, const ModesRequest& request);

// About a configuration of a system, as it is.
Modes modes_about(const ConstrainedSystem& system, double t, const Vector& q, bool equilibrium,
                  const ModesRequest& request);

}  // namespace raak

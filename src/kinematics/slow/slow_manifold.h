// A start on the slow manifold of a system with stiff parts: the motion from there follows the slow rest and does not
// vibrate at the frequencies of the stiff parts. Along the fast directions X, with X'MX = 1 and frequencies omega, the
// equations are
//   d'' + omega^2 d = F(t),   F slow,
// whose solution without vibration is the asymptotic series d = F/omega^2 - F''/omega^4 + ...; each term is smaller by
// the square of slow over fast. It is built by quasi-static corrections of a motion over a window of time,
//   d_0 = omega^-2 X'(f - M q'')   at the motion with the stiff parts at rest,
//   d_k+1 = d_k + omega^-2 X'(f - M q'')   at the motion deflected by d_k, q'' its second time derivative,
// and the rates are the time derivative of the deflected motion. d_0 is the expansion of B. Simeon, DAEs and PDEs in
// elastic multibody systems, Numerical Algorithms 19 (1998) 235-246; that all higher derivatives be slow is the
// principle of H.-O. Kreiss, Problems with different time scales for ordinary differential equations, SIAM J. Numer.
// Anal. 16 (1979) 980-998. C. Lubich, Integration of stiff mechanical systems by Runge-Kutta methods, ZAMP 44 (1993)
// 1022-1053, shows that the series exists: the manifold is unique up to the order at which its terms cease to fall.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "kinematics/start/consistent_start.h"
#include "kinematics/start/start_failure.h"
#include "system/constrained_system.h"

namespace raak {

struct SlowManifoldRequest {
  int order = 2;  // terms after the first
  // rad/s: faster vibrations count as fast. None: those above the largest gap between vibrations, or between them and
  // the motion, which must be a factor of clearly_separate at least.
  std::optional<double> above = std::nullopt;

  static constexpr int highest_order = 3;  // beyond it the derivatives of the window have no digits
  static constexpr double clearly_separate = 5.0;
};

struct FastVibration {
  double frequency = 0.0;   // rad/s
  double separation = 0.0;  // frequency over the rate at which what drives it changes
  std::string carriers;     // coordinates, in quotes
};

struct SmoothStart {
  State state;
  std::vector<FastVibration> fast;  // slowest first
  int order = 0;                    // less than asked for where the terms of the series ceased to fall
  double slow_rate = 0.0;           // 1/s, of the rest of the motion
};

class NoSlowManifold : public StartFailure {
 public:
  enum class Why {
    no_stiff_part,  // no vibration is much faster than the rest
    resonance,      // the motion drives a vibration near its own frequency
    no_balance,     // the forces of the stiff parts balance nowhere near
    trusted,        // a trusted value belongs to a vibration
    too_large       // more coordinates than eigenvectors can be found of
  };
  NoSlowManifold(Why why, double frequency, const std::string& finding, const std::string& advice)
      : StartFailure(Cause::not_smooth, finding, advice), why_(why), frequency_(frequency) {}
  Why why() const { return why_; }
  double frequency() const { return frequency_; }  // rad/s, of the vibration concerned

 private:
  Why why_;
  double frequency_;
};

// From a consistent start, which gives the slow part of the motion; the trusted values of `trusted` hold.
SmoothStart smooth_start(const ConstrainedSystem& system, const State& start, const StartRequest& trusted,
                         const SlowManifoldRequest& request = {});

}  // namespace raak

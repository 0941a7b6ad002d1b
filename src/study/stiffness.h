// Whether a motion is stiff: its fastest mode against the time in which the motion itself changes. Where the product
// of both is large, a method whose steps must resolve the mode takes that many times the steps that accuracy needs.
#pragma once
#include <vector>

#include "run/integrate.h"
#include "run/warnings/fastest_mode.h"

namespace raak {

struct Stiffness {
  FastestMode mode;         // at the moment where it is fastest
  double time_scale = 0.0;  // s: in which the motion changes, |v| over |a| in the metric of the masses
  double ratio = 0.0;       // speed of the mode times time scale
  bool is_stiff() const { return ratio > stiff && !mode.grows(); }

  static constexpr double stiff = 100.0;
};

class StiffnessWatch {
 public:
  // The moments of a run at which to look.
  static std::vector<double> times(double start, double until);

  explicit StiffnessWatch(const ConstrainedSystem& system) : system_(system) {}
  void look(const State& state);
  // Of a run over `span` seconds.
  Stiffness conclude(double span);

 private:
  const ConstrainedSystem& system_;
  std::vector<double> v_, a_;  // their lengths
  FastestMode fastest_;
};

}  // namespace raak

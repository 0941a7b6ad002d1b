// When backward differentiation formulas should fall back to order 2. Those of order 3 to 5 are unstable for vibrations
// with little damping (Hairer and Wanner II, section V.2): the error test keeps such a vibration at the tolerance and
// with it the step at a part of its period, though the motion itself would bear steps a hundred times as long. Order 2
// damps it. Whether the step is limited in this way is found by trying.
#pragma once
#include "base/archive.h"

namespace raak {

class OrderTrial {
 public:
  // After a step of length h and order k whose correction changes with `rate` (1/s), as a vibration does with its
  // angular frequency: the highest order to use from here.
  int after_step(double h, int k, double rate);
  void begin() { *this = {}; }

  void visit_state(Archive& archive) { archive(wait_, suspect_, idle_, first_, longest_, trying_); }

 private:
  static constexpr int first_wait = 100;
  int wait_ = first_wait;  // steps that must look unstable before the next trial
  int suspect_ = 0;        // of them so far
  int idle_ = 0;           // steps of the trial since the step has grown
  double first_ = 0.0;     // s: the step when the trial began
  double longest_ = 0.0;   // s: since then
  bool trying_ = false;
};

}  // namespace raak

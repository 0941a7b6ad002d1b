// Step control of embedded pairs: the error of a step, 1 being allowed, decides on it and on the next one.
// Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section II.4.
#pragma once
#include <algorithm>
#include <cmath>

#include "methods/resumable.h"

namespace raak {

// The next step has the part 0.9 error^-exponent of this one, within the bounds.
struct StepLimits {
  double exponent, shortest, longest;
};

class PairControl {
 public:
  explicit PairControl(const StepLimits& limits) : limits_(limits) {}

  // Of a step of length h with this error; `any`: fixed steps, which are accepted whatever their error.
  Attempt judge(double h, double error, bool any) {
    if (!std::isfinite(error)) return {false, 0.25 * h, "the error of the step is not finite"};
    next_h_ = h * std::clamp(0.9 * std::pow(std::max(error, 1e-12), -limits_.exponent), limits_.shortest,
                             just_rejected_ ? 1.0 : limits_.longest);
    if (!(error > 1.0) || any) return {true, 0.0, nullptr};
    just_rejected_ = true;
    return {false, next_h_, nullptr};
  }
  // The step to try after an accepted one.
  double accept() {
    just_rejected_ = false;
    return next_h_;
  }

  void visit_state(Archive& archive) {
    archive(next_h_, just_rejected_);
    scratch(limits_);
  }

 private:
  StepLimits limits_;
  double next_h_ = 0.0;
  bool just_rejected_ = false;
};

}  // namespace raak

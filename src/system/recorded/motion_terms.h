// The terms of the equations of motion at one recorded state, derived from formulas by differentiation on the tape:
// G = [dg/dq; dc/dv], [g'; c] and the bias of G v' = bias along q + s v, t + s. The state must be inputs of the tape;
// what stands for them is substituted afterwards.
#pragma once
#include <optional>
#include <vector>

#include "system/recorded/formulas.h"

namespace raak {

class MotionTerms {
 public:
  MotionTerms(const Formulas& formulas, const RecordedState& inputs) : formulas_(formulas), x_(inputs) {}

  SymmetricEntries mass() const;
  Reals force() const;
  const Reals& constraint() const;
  // [g'; c].
  const Reals& velocity_residual() const;
  // [g'; c] at q + dq, up to the square of dq.
  Reals velocity_residual_near(const Reals& dq) const;
  // [g'; c] for v = 0.
  Reals residual_at_rest() const;
  std::vector<Gradient> position_jacobian() const;
  std::vector<Gradient> jacobian() const;
  Reals bias() const;
  // M a + G' lambda, with the a and lambda of the state.
  Reals inertia_and_reactions() const;

 private:
  // d values / ds along q + s v, t + s.
  Reals rate(const Reals& values) const;

  const Formulas& formulas_;
  const RecordedState& x_;
  mutable std::optional<Reals> g_, residual_;  // recorded at the first use
};

}  // namespace raak

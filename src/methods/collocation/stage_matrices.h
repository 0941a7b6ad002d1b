// Masses and constraints of the stages of a step, each at its own place. The simplified Newton method has one matrix
// for all stages, that of the middle of the step; where a body spins, M and G turn with it, and what M^-1 makes of the
// difference (the ratio of the largest and the smallest inertia times the angle) limits the steps. A residual
// r = (M_i x + G_i' lambda, G_i x) is replaced by that of the same x and lambda at the middle:
//   [M G'; G 0] [M_i G_i'; G_i 0]^-1 r.
// That takes a factorization for each stage, and stiff forces that do not turn with the body would be turned by it: it
// is tried where Newton's method limits the steps, and kept if they grow.
#pragma once
#include <vector>

#include "base/linear/factors.h"
#include "methods/resumable.h"

namespace raak {

class StageMatrices {
 public:
  // Their matrices are dense: where those of the method are `usable` as such only.
  StageMatrices(const ConstrainedSystem& system, int stages, bool usable);

  // A new run.
  void begin() {
    use_ = lu_.empty() ? Use::useless : Use::waits;
    slow_ = 0;
  }
  // After an attempt of length h in which Newton's method converged well, or limits the step.
  void note(double h, bool slow);
  bool are_used() const { return use_ == Use::tried || use_ == Use::kept; }

  void set_middle(const Matrix& M, const Matrix& G);
  void set_stage(int i, double t, const Vector& q);
  // The head of r is M_i x + G_i' lambda, then G_i x times `of_positions` in position rows and `of_velocities` in
  // velocity rows; what comes after that stays.
  void carry_to_middle(int i, double of_positions, double of_velocities, Eigen::Ref<Vector> r);

  void visit_state(Archive& archive) {
    archive(use_, slow_, tried_);
    scratch(system_, n_, m_, M_, G_, J_, middle_, x_, lu_);  // filled anew by every attempt
  }

 private:
  const ConstrainedSystem& system_;
  Eigen::Index n_, m_;
  Matrix M_, G_, J_, middle_;
  Vector x_;
  std::vector<Eigen::PartialPivLU<Matrix>> lu_;
  enum class Use { waits, tried, kept, useless } use_ = Use::waits;
  int slow_ = 0;        // attempts that Newton's method limits, less those that it does not
  double tried_ = 0.0;  // s: the step at which the trial began
};

}  // namespace raak

// Positions of many bodies that satisfy every row: Gauss-Newton steps, shortest in the metric of M, shortened until the
// residual falls (Nocedal and Wright, Numerical Optimization, 2nd ed., 10.3).
#pragma once
#include <optional>
#include <vector>

#include "mechanism/large/evaluation.h"

namespace raak {

constexpr double closed_gap = 1e-10;  // of the scale of its row

// An evaluation with a row for each given value too.
class HoldingEvaluation {
 public:
  HoldingEvaluation(const MaximalFormulas& formulas, const LargeEvaluation& evaluation,
                    const std::vector<GivenValue>& positions, const std::vector<GivenValue>& velocities);
  const LargeEvaluation& operator*() const { return *evaluation_; }
  const LargeEvaluation* operator->() const { return evaluation_; }
  const std::vector<MechanismRow>& rows() const { return formulas_->all_rows(); }
  // What gaps and rates of the rows are compared with: the length of the mechanism, or 1 rad.
  Vector scales() const;

 private:
  const MaximalFormulas* formulas_;
  const LargeEvaluation* evaluation_;
  std::optional<MaximalFormulas> own_formulas_;  // with given rows
  std::optional<LargeEvaluation> own_;
};

// How large positions are beside the length of the mechanism, at least 1.
double size_of_positions(const Instance& instance, const Vector& q);

// The norm of the position rows, which `gaps` receives.
double gap_at(const LargeEvaluation& evaluation, double t, const Vector& q, Vector& gaps);
// False where the rows stay open; `gaps` is what is left.
bool close_positions(const HoldingEvaluation& holding, double t, Vector& q, Vector& gaps);

}  // namespace raak

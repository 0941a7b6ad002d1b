// The equations [M G'; H 0] x = r of a half-explicit stage, M and G at the stage and H the Jacobian at the next one,
// dense or, of many bodies, sparse.
#pragma once
#include <optional>

#include "base/linear/factors.h"
#include "methods/linear/sparse_factor.h"
#include "system/sparse_equations.h"

namespace raak {

class SaddlePoint {
 public:
  explicit SaddlePoint(const ConstrainedSystem& system);

  // M and G at (t, q); call this first.
  void set_stage(double t, const Vector& q);
  // H at (t, q), and the factors.
  void factor(double t, const Vector& q);
  void solve(const Vector& r, Vector& x) const;

 private:
  const ConstrainedSystem& system_;
  const SparseEquations* sparse_equations_;  // null: dense
  Eigen::Index n_, m_;
  Matrix M_, G_, J_;
  Eigen::PartialPivLU<Matrix> lu_;
  SparseMatrix sparse_M_, sparse_G_;
  std::optional<SparseFactor<double>> sparse_;
};

}  // namespace raak

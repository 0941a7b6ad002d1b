// The motion inside accepted steps, kept beyond the run: what the dense output of the method gives at the Chebyshev
// points of a step, interpolated by the barycentric formula. With 13 points the polynomial has degree 12, which no
// dense output of the methods exceeds. Berrut and Trefethen, Barycentric Lagrange interpolation, SIAM Review 46 (2004)
// 501.
#pragma once
#include <array>

#include "api/core.h"
#include "base/linear/linear.h"

namespace raak_v0::detail {

class DenseStep {
 public:
  static constexpr int points = 13;
  // When they are; the ends of the step are the first and the last.
  static std::array<double, points> times(double from, double to);

  // `numbers`: how many are interpolated; values() is to be filled, a column for each point.
  DenseStep(double from, double to, Eigen::Index numbers) : from_(from), to_(to), values_(numbers, points) {}
  core::Matrix& values() { return values_; }

  double from() const { return from_; }
  double to() const { return to_; }
  core::Vector at(double t) const;

 private:
  double from_, to_;
  core::Matrix values_;
};

}  // namespace raak_v0::detail

#include "system/time/time_window.h"

#include <cmath>
#include <numbers>

#include "base/linear/factors.h"

namespace raak {
namespace {

// On [-1, 1].
Matrix differentiation(const Vector& x) {
  const Eigen::Index n = x.size();
  Matrix D = Matrix::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      if (i == j) continue;
      const double end_i = i == 0 || i == n - 1 ? 0.5 : 1.0, end_j = j == 0 || j == n - 1 ? 0.5 : 1.0;
      D(i, j) = ((i + j) % 2 == 0 ? 1.0 : -1.0) * end_j / end_i / (x[i] - x[j]);
      D(i, i) -= D(i, j);
    }
  }
  return D;
}

// The same, from -1 on: powers of x are integrated exactly.
Matrix integration(const Vector& x) {
  const Eigen::Index n = x.size();
  Matrix powers(n, n), integrals(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index k = 0; k < n; ++k) {
      const auto exponent = static_cast<double>(k + 1);
      powers(i, k) = k == 0 ? 1.0 : powers(i, k - 1) * x[i];
      integrals(i, k) = (powers(i, k) * x[i] - (k % 2 == 0 ? -1.0 : 1.0)) / exponent;
    }
  }
  return powers.transpose().partialPivLu().solve(integrals.transpose()).transpose();
}

}  // namespace

TimeWindow::TimeWindow(double start, double length, Eigen::Index nodes) : length_(length), t_(nodes) {
  Vector x(nodes);
  for (Eigen::Index i = 0; i < nodes; ++i)
    x[i] = -std::cos(std::numbers::pi * static_cast<double>(i) / static_cast<double>(nodes - 1));
  t_ = start + 0.5 * length * (x.array() + 1.0);
  t_[0] = start;
  D_ = differentiation(x) * (2.0 / length);
  I_ = integration(x) * (0.5 * length);
}

Vector TimeWindow::highest_part(const Matrix& values) const {
  const Eigen::Index last = values.rows() - 1;
  Vector sum = Vector::Zero(values.cols());
  for (Eigen::Index i = 0; i <= last; ++i)
    sum += (i == 0 || i == last ? 0.5 : 1.0) * (i % 2 == 0 ? 1.0 : -1.0) * values.row(i).transpose();
  return sum.cwiseAbs() / static_cast<double>(last);
}

}  // namespace raak

// Gragg's modified midpoint rule extrapolated by Bulirsch and Stoer, of fixed order 16 with step control. Hairer,
// Norsett and Wanner, Solving Ordinary Differential Equations I, II.9.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "mechanism.h"

namespace reference {

template <class System>
class Extrapolation {
 public:
  Extrapolation(const System& system, double tolerance) : system_(system), tolerance_(tolerance) {}

  // Integrates to the time given, projecting after each step.
  void advance(double& t, Vector& y, double until) {
    double h = last_ > 0.0 ? std::min(last_, until - t) : 0.02 * (until - t);
    while (t < until) {
      const bool ends = t + h >= until * (1.0 - 1e-14);
      if (ends) h = until - t;
      double error = 0.0;
      const Vector next = step(t, y, h, error);
      const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-30), -1.0 / (2 * columns - 1)), 0.1, 3.0);
      if (!(error <= 1.0)) {
        h *= std::isfinite(error) ? std::min(factor, 0.7) : 0.1;
        if (h < 1e-12) throw std::runtime_error("steps vanish");
        continue;
      }
      y = next;
      t = ends ? until : t + h;
      if (!system_.project(t, y)) throw std::runtime_error("positions do not close");
      h *= factor;
      if (!ends) last_ = h;
      if (++steps_ > most_steps) throw std::runtime_error("too many steps");
    }
  }

 private:
  static constexpr int columns = 8;
  static constexpr int most_steps = 400;

  Vector step(double t, const Vector& y, double h, double& error) {
    std::array<Vector, columns> table;
    system_.choose_rows(t, y);
    const Vector slope = system_.derivative(t, y);
    for (int j = 0; j < columns; ++j) {
      const int n = 2 * (j + 1);
      const double part = h / n;
      Vector before = y;
      Vector now = y + part * slope;
      for (int i = 1; i < n; ++i) {
        Vector after = before + 2.0 * part * system_.derivative(t + i * part, now);
        before = std::move(now);
        now = std::move(after);
      }
      table[std::size_t(j)] = 0.5 * (before + now + part * system_.derivative(t + h, now));
      for (int k = j - 1; k >= 0; --k) {
        const double ratio = double(n) / (2 * (k + 1));
        const auto at = std::size_t(k);
        table[at] = table[at + 1] + (table[at + 1] - table[at]) / (ratio * ratio - 1.0);
      }
    }
    error = 0.0;
    for (Eigen::Index i = 0; i < y.size(); ++i) {
      const double scale = tolerance_ * (1.0 + std::max(std::abs(y[i]), std::abs(table[0][i])));
      const double ratio = std::abs(table[0][i] - table[1][i]) / scale;
      if (!std::isfinite(ratio)) {
        error = ratio;
        break;
      }
      error = std::max(error, ratio);
    }
    return table[0];
  }

  const System& system_;
  double tolerance_;
  double last_ = 0.0;
  int steps_ = 0;
};

}  // namespace reference

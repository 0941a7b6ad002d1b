#include "methods/charts/chart.h"

#include <algorithm>
#include <cmath>

namespace raak {

bool Chart::stays_on_branch(const Vector& q, const Vector& v) const {
  constexpr double most = 0.3;
  constexpr double always = 1e-3;  // of 1 + |x|: branches are that near only beside a singular configuration
  if (from_q_.size() == 0) return true;
  const auto near = [&](const Vector& asked, const Vector& found, const Vector& from) {
    const auto size = [&](const auto& x) { return x.cwiseQuotient(system_.coordinate_scales()).cwiseAbs().maxCoeff(); };
    return size(found - asked) <= std::max(most * size(found - from), always * (1.0 + size(found)));
  };
  return near(asked_q_, q, from_q_) && near(asked_v_, v, from_v_);
}

double ProjectedChart::small_for(const Tolerances& tolerances) {
  constexpr double share = 1e-2;
  constexpr double most = 1e-4;  // of the size, or rad: what is left is its square
  const auto size = [](const Tolerance& t) { return t.rtol + t.atol; };
  return std::clamp(share * std::min(size(tolerances.q), size(tolerances.v)), small_for_all, most);
}

bool ProjectedChart::restore_end(double t, Vector& q, Vector& v, Statistics& statistics) {
  if (!project_velocities_) return q.allFinite() && v.allFinite();
  ask(q, v);
  constexpr int most = 8;
  if (system_.rows() > 0) {
    free_q_ = q;
    free_v_ = v;
  }
  if (project_positions_ && system_.position_rows() > 0) {
    double residual = 0.0;
    int iteration = 0;
    const double closed = std::max(small_ * system_.row_scales().minCoeff(), rounding_of_rows(system_, q));
    do {
      residual = system_.correct_state(t, q.data(), v.data());
      ++statistics.factorizations;
      if (!std::isfinite(residual) || ++iteration > most) return false;
    } while (residual > closed);
  } else if (system_.rows() > 0) {
    const double residual = system_.correct_velocity(t, q.data(), v.data());
    ++statistics.factorizations;
    if (!std::isfinite(residual)) return false;
  }
  return q.allFinite() && v.allFinite() && stays_on_branch(q, v);
}

}  // namespace raak

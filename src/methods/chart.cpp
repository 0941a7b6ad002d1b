#include "methods/chart.h"

#include <cmath>

namespace raak {

bool ProjectedChart::restore_end(double t, Vector& q, Vector& v, Statistics& statistics) {
  // A Newton step squares a small residual: below this one more is not needed.
  constexpr double small = 1e-8;
  constexpr int most = 8;
  if (system_.rows() > 0) {
    free_q_ = q;
    free_v_ = v;
  }
  if (project_positions_ && system_.position_rows() > 0) {
    double residual = 0.0;
    int iteration = 0;
    do {
      residual = system_.correct_state(t, q.data(), v.data());
      ++statistics.factorizations;
      if (!std::isfinite(residual) || ++iteration > most) return false;
    } while (residual > small);
  } else if (system_.rows() > 0) {
    const double residual = system_.correct_velocity(t, q.data(), v.data());
    ++statistics.factorizations;
    if (!std::isfinite(residual)) return false;
  }
  return q.allFinite() && v.allFinite();
}

}  // namespace raak

#include "study/stiffness.h"

#include <algorithm>
#include <cmath>

#include "output/recording.h"

namespace raak {
namespace {

constexpr long moments = 24;
constexpr long moments_between_modes = 3;  // eigenvalues take longer than lengths

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::vector<double> StiffnessWatch::times(double start, double until) {
  return frame_times(start, until, moments);
}

void StiffnessWatch::look(const State& state) {
  if (!state.q.allFinite() || !state.v.allFinite() || !state.a.allFinite()) return;
  // Lengths in the metric of M, as the kinetic energy has them.
  const auto length = [&](const Vector& x) {
    return std::sqrt(2.0 * std::abs(system_.energy(state.t, state.q, x).kinetic));
  };
  v_.push_back(length(state.v));
  a_.push_back(length(state.a));
  if ((static_cast<long>(v_.size()) - 1) % moments_between_modes != 0) return;
  if (FastestMode mode = fastest_mode(system_, state); mode.speed() > fastest_.speed()) fastest_ = std::move(mode);
}

// Medians, since the fast mode itself is in the accelerations of the first moments, and a motion that turns back has
// moments without velocity.
Stiffness StiffnessWatch::conclude(double span) {
  Stiffness found;
  const double v = median(v_), a = median(a_);
  found.time_scale = v > 0.0 && a > 0.0 ? std::min(v / a, std::abs(span)) : std::abs(span);
  found.ratio = fastest_.speed() * found.time_scale;
  found.mode = std::move(fastest_);
  return found;
}

}  // namespace raak

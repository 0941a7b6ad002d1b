#include "run/watches/growth.h"

#include <fmt/format.h>

#include <cmath>

namespace raak {
namespace {

// Coordinates, velocities and accelerations that count as 1, in scales of the coordinates.
struct GrowthUnits {
  double q = 1.0;  // 1
  double v = 1.0;  // 1/s
  double a = 1.0;  // 1/s^2
};

double largest_scaled(const Vector& values, const Vector& scales) {
  if (values.size() == 0) return 0.0;
  const double largest = values.cwiseQuotient(scales).cwiseAbs().maxCoeff();
  return std::isnan(largest) ? 0.0 : largest;
}

// `of_velocities`: the scales of v and a, which may be fewer than the coordinates as users know them.
GrowthUnits growth_units(const State& start, double elapsed, const Vector& scales, const Vector& of_velocities) {
  const double pace = elapsed != 0.0 ? 1.0 / std::abs(elapsed) : 0.0;
  const double at_start = largest_scaled(start.a, of_velocities);
  const double a = std::isfinite(at_start) ? at_start : 0.0;
  const double v = largest_scaled(start.v, of_velocities) + std::sqrt(a) + pace;
  return {1.0 + largest_scaled(start.q, scales), v, v * v};
}

GrowthUnits growth_units(const ConstrainedSystem& system, const State& start, double t) {
  const Vector& scales = system.coordinate_scales();
  return growth_units(start, t - start.t, scales, scales);
}

// The length of the mechanism where the unit is one of lengths.
Vector scales_by(const std::vector<std::string>& units, const ConstrainedSystem& system, Eigen::Index size) {
  Vector scales = Vector::Ones(size);
  for (std::size_t i = 0; i < units.size() && static_cast<Eigen::Index>(i) < size; ++i)
    if (units[i] == "m" || units[i] == "m/s") scales[static_cast<Eigen::Index>(i)] = system.description().length;
  return scales;
}

}  // namespace

double growth_of_velocities(const ConstrainedSystem& system, const State& start, const State& now) {
  const double unit = growth_units(system, start, now.t).v;
  return unit > 0.0 ? largest_scaled(now.v, system.coordinate_scales()) / unit : 0.0;
}

bool has_run_away(const ConstrainedSystem& system, const State& start, const State& now) {
  return growth_of_velocities(system, start, now) > beyond_rounding ||
         largest_scaled(now.q, system.coordinate_scales()) > beyond_rounding * growth_units(system, start, now.t).q;
}

void find_growth(const ConstrainedSystem& system, const State& start, const State& last, Diagnosis& to) {
  State first, reached;  // as the user knows them
  system.report_motion(start, first);
  system.report_motion(last, reached);
  const ReportedNames& names = system.reported();
  const Vector scales = scales_by(names.position_units, system, reached.q.size());
  const Vector of_velocities = scales_by(names.velocity_units, system, reached.v.size());
  const GrowthUnits units = growth_units(first, last.t - start.t, scales, of_velocities);
  const auto compare = [&](const char* what, const std::vector<std::string>& of, const Vector& now, const Vector& scale,
                           double unit) {
    for (Eigen::Index i = 0; i < now.size() && unit > 0.0; ++i) {
      const double growth = std::abs(now[i]) / (scale[i] * unit);
      if (!(growth > to.growth)) continue;
      to.growth = growth;
      to.growing = fmt::format("{} \"{}\"", what, of[static_cast<std::size_t>(i)]);
      to.grown_to = now[i];
    }
  };
  compare("coordinate", names.positions, reached.q, scales, units.q);
  compare("the velocity of", names.velocities, reached.v, of_velocities, units.v);
  if (to.growth < runs_away) compare("the acceleration of", names.velocities, reached.a, of_velocities, units.a);
}

}  // namespace raak

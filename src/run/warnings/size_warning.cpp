#include "run/warnings/size_warning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace raak {
namespace {

constexpr double few_digits = 1e-3;  // an absolute tolerance above this share of a size leaves fewer than three digits
constexpr double beyond_rtol = 10.0;
constexpr double moved = 1e-3;  // of its size: what moves less may rest

bool is_length(const ConstrainedSystem& system, Eigen::Index i) {
  const std::vector<std::string>& units = system.description().units;
  return !units.empty() && units[static_cast<std::size_t>(i)] == "m";
}

// Of the coordinates in m, or of the others.
struct Kind {
  bool any = false;
  double size = 0.0;   // of the mechanism, or how far they go
  double way = 0.0;    // how far they go
  double speed = 0.0;  // at the start, at the end or on average
};

Kind look_at(const ConstrainedSystem& system, const Result& result, bool lengths) {
  Kind kind;
  const double span = std::abs(result.end.t - result.start.t);
  for (Eigen::Index i = 0; i < system.coordinates(); ++i) {
    if (is_length(system, i) != lengths) continue;
    kind.any = true;
    const double way = std::abs(result.end.q[i] - result.start.q[i]);
    kind.way = std::max(kind.way, way);
    kind.size = std::max({kind.size, system.coordinate_scales()[i], way});
    kind.speed = std::max({kind.speed, std::abs(result.start.v[i]), std::abs(result.end.v[i])});
    if (span > 0.0) kind.speed = std::max(kind.speed, way / span);
  }
  return kind;
}

double atol_of(const Tolerance& tolerance, bool lengths) {
  return lengths && tolerance.length_atol > 0.0 ? tolerance.length_atol : tolerance.atol;
}

bool is_large(const Tolerance& tolerance, double atol, double size) {
  return atol > std::max(few_digits, beyond_rtol * tolerance.rtol) * size;
}

}  // namespace

void give_lengths_their_own(const ConstrainedSystem& system, Tolerances& tolerances) {
  for (Tolerance* t : {&tolerances.q, &tolerances.v}) {
    if (!(t->length_atol > 0.0) || t->atols.size() > 0) continue;
    t->atols = Vector::Constant(system.coordinates(), t->atol);
    for (Eigen::Index i = 0; i < t->atols.size(); ++i)
      if (is_length(system, i)) t->atols[i] = t->length_atol;
  }
}

void warn_of_large_atol(const ConstrainedSystem& system, Result& result) {
  const Tolerances& t = result.tolerances;
  if (t.q.atols.size() > 0 && !(t.q.length_atol > 0.0)) return;  // whoever gives one for each knows them all
  for (const bool lengths : {true, false}) {
    const Kind kind = look_at(system, result, lengths);
    if (!kind.any || system.description().units.empty()) continue;
    const char* const unit = lengths ? "m" : "rad";
    if (const double atol = atol_of(t.q, lengths); lengths && is_large(t.q, atol, kind.size)) {
      result.warn(fmt::format(
          "the absolute tolerance of {:.2g} m is large beside this mechanism, whose lengths are about {:.2g} m: "
          "positions may have few correct digits. Try --atol m={:.1g},m/s={:.1g}",
          atol, kind.size, t.q.rtol * kind.size, t.v.rtol * std::max(kind.speed, 1e-300)));
      continue;
    }
    const double atol = atol_of(t.v, lengths);
    if (kind.way > moved * kind.size && kind.speed > 0.0 && is_large(t.v, atol, kind.speed))
      result.warn(fmt::format(
          "the absolute tolerance of {0:.2g} {1}/s is large beside the velocities of this motion, which are "
          "about {2:.2g} {1}/s: it may have few correct digits. Try --atol {1}/s={3:.1g}",
          atol, unit, kind.speed, t.v.rtol * kind.speed));
  }
}

void warn_of_violation(const ConstrainedSystem& system, const Plan& plan, Result& result) {
  constexpr double many = 10.0;
  if (system.position_rows() == 0 || !holds_positions(result.form)) return;
  Vector g(system.position_rows());
  system.constraint(result.end.t, result.end.q, g);
  g(normalization_rows(system.description().constraints)).setZero();
  const Tolerance& t = result.tolerances.q;
  const double rounding = 1e-14 * result.end.q.cwiseAbs().maxCoeff();
  const auto allowed = [&](Eigen::Index row) {
    const double scale = system.row_scales()[row];
    const bool length = system.description().constraints[static_cast<std::size_t>(row)].unit == "m";
    return many * (t.rtol * scale + atol_of(t, length)) + rounding;
  };
  Eigen::Index worst = 0;
  double excess = 0.0, most_allowed = 0.0;
  for (Eigen::Index i = 0; i < g.size(); ++i) {
    most_allowed = std::max(most_allowed, allowed(i));
    if (!(std::abs(g[i]) / allowed(i) > excess)) continue;
    excess = std::abs(g[i]) / allowed(i);
    worst = i;
  }
  if (excess > 1.0) {
    result.warn(fmt::format(
        "\"{}\" is open by {:.2g} at the end, where rtol {:.1g} and atol {:.1g} were asked for: the motion may be "
        "wrong. Compare with a smaller --rtol and another --method",
        system.description().constraints[static_cast<std::size_t>(worst)].name(), std::abs(g[worst]), t.rtol, t.atol));
  } else if (plan.measure_quality && result.quality.position_residual > most_allowed * std::sqrt(double(g.size()))) {
    result.warn(fmt::format(
        "constraints were open by up to {:.2g} on the way, where rtol {:.1g} and atol {:.1g} were asked for: the "
        "motion may be wrong. Compare with a smaller --rtol and another --method",
        result.quality.position_residual, t.rtol, t.atol));
  }
}

}  // namespace raak

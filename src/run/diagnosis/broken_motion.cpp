#include "run/diagnosis/broken_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "run/diagnosis/diagnosis.h"

namespace raak {
namespace {

constexpr double left_by_rounding = 1e-6;  // of the size: what a state a moment later may leave in a row
constexpr double far_open = 1e-2;    // times 1 + the size, in scales of the rows: the loosest tolerance leaves less
constexpr double much_more = 100.0;  // than before
constexpr double spike = 1e100;      // the acceleration in the corner itself, where a step may have ended

struct Worst {
  Eigen::Index row = 0;
  double size = 0.0;
};

Worst worst_of(const Vector& residual) {
  Worst worst;
  for (Eigen::Index i = 0; i < residual.size(); ++i) {
    const double size = std::isfinite(residual[i]) ? std::abs(residual[i]) : HUGE_VAL;
    if (size > worst.size) worst = {i, size};
  }
  return worst;
}

Vector positions_of(const ConstrainedSystem& system, const State& at) {
  Vector g(system.position_rows());
  if (g.size() == 0) return g;
  system.constraint(at.t, at.q, g);
  g(normalization_rows(system.description().constraints)).setZero();
  return g;
}
Vector rates_of(const ConstrainedSystem& system, const State& at) {
  Vector c(system.rows());
  if (c.size() == 0) return c;
  system.velocity_constraint(at.t, at.q, at.v, c);
  c(normalization_rows(system.description().constraints)).setZero();
  return c;
}

std::string name_of(const ConstrainedSystem& system, Eigen::Index row) {
  return system.description().constraints[static_cast<std::size_t>(row)].name();
}

double largest(const Vector& x) {
  return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
}

}  // namespace

std::optional<Diagnosis> motion_broken_between(const ConstrainedSystem& system, const State& start, const State& before,
                                               const State& beyond, double step) {
  const auto broken = [](const Vector& then, const Vector& now, double size) {
    return worst_of(now).size > left_by_rounding * (1.0 + size) + much_more * worst_of(then).size;
  };
  const Vector g = positions_of(system, beyond);
  const bool jumps = broken(positions_of(system, before), g, largest(beyond.q));
  const Vector c = rates_of(system, beyond);
  if (!jumps && !broken(rates_of(system, before), c, largest(beyond.v))) return std::nullopt;
  const bool in_corner = !(largest(before.a) < spike);
  const Worst worst = worst_of(jumps ? g : c);
  Diagnosis found = look_around(system, start, before, step);
  found.cause = Diagnosis::Cause::undefined;
  found.conditioning.rows.clear();  // nothing is wrong with the configuration
  found.worst_constraint = name_of(system, worst.row);
  found.worst_residual = worst_of(g).size;
  found.happened = fmt::format("at t = {:.9g} s {} that \"{}\" prescribes jumps{}", beyond.t,
                               jumps && !in_corner ? "the position" : "the rate", name_of(system, worst.row),
                               in_corner ? "" : fmt::format(" by {:.3g}", worst.size));
  found.because = "no finite force follows such a motion, as that of abs(), min(), max() or sign() of time";
  found.advice = "a motion with a rate that is continuous, such as sqrt((t - 1)^2 + 1e-4) for abs(t - 1)";
  return found;
}

bool blame_jumping_row(const ConstrainedSystem& system, const State& last, double direction, Diagnosis& found) {
  constexpr double least = 1e-3;  // m or rad: what no smooth motion does in so short a time
  const Vector here = positions_of(system, last);
  if (here.size() == 0 || !here.allFinite()) return false;
  // Where positions round by as much, as in a blow-up, nothing is known of jumps.
  if (!(largest(last.q) * std::numeric_limits<double>::epsilon() < least)) return false;
  const double speed = largest(last.v), rate = 1.0 + speed + std::min(largest(last.a), spike);
  for (const double reach : {1e-12, 1e-10, 1e-8, 1e-6}) {
    State beyond = last;
    const double tau = direction * reach * std::max(1.0, std::abs(last.t));
    beyond.t += tau;
    for (const double along : {0.0, 1.0}) {  // in the same configuration, and where the motion leads
      beyond.q = last.q + along * tau * last.v;
      const Vector change = positions_of(system, beyond) - here;
      const Worst worst = worst_of(change);
      if (!(worst.size > least) || !(worst.size > 1e3 * std::abs(tau) * rate) || !std::isfinite(worst.size)) continue;
      if (!(worst.size > much_more * worst_of(here).size)) continue;  // the rows were not closed before either
      const double turns = worst.size / (2.0 * std::numbers::pi);
      const bool whole = std::abs(turns - std::round(turns)) < 1e-3;
      found.cause = Diagnosis::Cause::undefined;
      found.conditioning.rows.clear();  // nothing is wrong with the configuration
      found.worst_constraint.clear();
      found.growth = 0.0;
      found.happened = fmt::format("at t = {:.6g} s what \"{}\" prescribes or measures jumps by {:.6g}{}", last.t,
                                   name_of(system, worst.row), worst.size,
                                   whole ? fmt::format(" ({:.0f} turn{})", turns, turns > 1.5 ? "s" : "") : "");
      found.because = whole ? "an angle of atan2() lies between -pi and pi and jumps by a turn where these meet (its "
                              "branch cut), while the mechanism goes on"
                            : "no finite force follows a motion that jumps";
      found.advice = whole
                         ? "an angle that counts on: drive the coordinate NAME.angle or the displacement of a "
                           "revolute joint, with a motion such as omega*t in place of atan2(sin(omega*t), cos(omega*t))"
                         : "a motion that is continuous";
      return true;
    }
  }
  return false;
}

bool is_far_open(const ConstrainedSystem& system, const State& state, const std::vector<int>& held, Vector& g) {
  g.resize(system.position_rows());
  if (g.size() == 0) return false;
  system.constraint(state.t, state.q, g);
  g(held).setZero();
  const double size = 1.0 + state.q.cwiseQuotient(system.coordinate_scales()).lpNorm<Eigen::Infinity>();
  return !(g.cwiseQuotient(system.row_scales().head(g.size())).lpNorm<Eigen::Infinity>() <= far_open * size);
}

std::optional<Diagnosis> open_at_end(const ConstrainedSystem& system, const State& start, const State& end,
                                     double step) {
  Vector g;
  if (!is_far_open(system, end, normalization_rows(system.description().constraints), g)) return std::nullopt;
  const Vector scales = system.row_scales().head(g.size());
  Worst worst = worst_of(g.cwiseQuotient(scales));
  worst.size *= scales[worst.row];
  Diagnosis found = look_around(system, start, end, step);
  found.cause = Diagnosis::Cause::contradictory_constraints;
  found.happened =
      fmt::format("\"{}\" is open by {:.3g} at t = {:.9g} s", name_of(system, worst.row), worst.size, end.t);
  found.because = "the motion has left this constraint on the way, as it does where a prescribed motion has a corner";
  found.advice =
      "smooth motions of the drivers, a smaller --rtol, or --method radau5, which solves for the constraints";
  return found;
}

}  // namespace raak

#include "run/turn_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "run/diagnosis.h"

namespace raak {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double reach = 2.6;   // rad from a centre that a step may come; beyond pi another turn would be read
constexpr double behind = 2.0;  // rad: an angle is so far behind its centre when that has moved ahead of it

double within_half_a_turn(double angle) {
  return std::remainder(angle, 2.0 * pi);
}

}  // namespace

TurnWatch::TurnWatch(const TurnGauge& gauge, const State& start) : gauge_(gauge) {
  gauge_.offsets(start.q, offsets_);
  for (const double offset : offsets_) beyond_at_start_.push_back(offset > pi);
}

void TurnWatch::find_rates(const State& at, double h, Vector& rates) {
  constexpr double little = 1e-4;  // rad or m
  const double speed = at.v.cwiseAbs().maxCoeff();
  const double tau = std::copysign(speed > 0.0 ? little / speed : 1.0, h);
  gauge_.offsets(at.q, rates);
  q_ = at.q + tau * at.v;
  Vector later;
  gauge_.offsets(q_, later);
  for (Eigen::Index i = 0; i < rates.size(); ++i) rates[i] = within_half_a_turn(later[i] - rates[i]) / tau;
}

bool TurnWatch::move_centres(State& now, double h) {
  gauge_.offsets(now.q, offsets_);
  find_rates(now, h, rates_);
  bool moved = false;
  for (std::size_t i = 0; i < gauge_.angles().size(); ++i) {
    const int centre = gauge_.angles()[i].centre;
    const auto k = static_cast<Eigen::Index>(i);
    if (centre < 0 || std::abs(offsets_[k] + rates_[k] * h) < reach) continue;
    const double ahead = std::copysign(behind, rates_[k] * h);
    // One that lies ahead already stays: the step is longer than any centre reads.
    if (std::abs(offsets_[k] + ahead) < 0.5) continue;
    now.q[centre] += offsets_[k] + ahead;
    moved = true;
  }
  return moved;
}

double TurnWatch::limited(const State& now, double h) {
  gauge_.offsets(now.q, offsets_);
  find_rates(now, h, rates_);
  double share = 1.0;
  for (std::size_t i = 0; i < gauge_.angles().size(); ++i) {
    if (gauge_.angles()[i].centre < 0) continue;
    const auto k = static_cast<Eigen::Index>(i);
    const double way = rates_[k] * h;
    const double free = reach - std::copysign(1.0, way) * offsets_[k];
    if (std::abs(way) > free) share = std::min(share, std::max(free, 0.1) / std::abs(way));
  }
  return share * h;
}

bool TurnWatch::is_too_long(const State& now, const State& end) {
  const double h = end.t - now.t;
  gauge_.offsets(now.q, offsets_);
  gauge_.offsets(end.q, there_);
  find_rates(now, h, rates_);
  find_rates(end, h, rates_there_);
  for (std::size_t i = 0; i < gauge_.angles().size(); ++i) {
    if (gauge_.angles()[i].centre < 0) continue;
    const auto k = static_cast<Eigen::Index>(i);
    const double expected = offsets_[k] + 0.5 * h * (rates_[k] + rates_there_[k]);
    const double reached = expected + within_half_a_turn(there_[k] - expected);
    if (std::abs(reached) >= pi) return true;
  }
  return false;
}

std::optional<std::size_t> TurnWatch::passed_half_turn(const Vector& q) {
  gauge_.offsets(q, there_);
  for (std::size_t i = 0; i < gauge_.angles().size(); ++i)
    if (gauge_.angles()[i].centre < 0 && (there_[static_cast<Eigen::Index>(i)] > pi) != beyond_at_start_[i]) return i;
  return std::nullopt;
}

Diagnosis diagnose_half_turn(const ConstrainedSystem& system, const State& start, const State& there, double step,
                             const std::string& force) {
  Diagnosis found = look_around(system, start, there, step);
  found.cause = Diagnosis::Cause::half_turn;
  found.conditioning.rows.clear();  // nothing is wrong with the constraints
  found.worst_constraint.clear();
  found.growth = 0.0;
  found.happened =
      fmt::format("at t = {:.9g} s the bodies of bushing \"{}\" have turned by half a turn", there.t, force);
  found.because =
      "the torque of a bushing in space follows the shortest rotation between its bodies, which changes its direction "
      "there: it cannot tell how often they have turned";
  found.advice = fmt::format(
      "end the run before that time, connect the two bodies by a revolute joint about the axis they turn about (the "
      "bushing then counts turns), or use a torsion-spring instead of the torsion of \"{}\"",
      force);
  return found;
}

}  // namespace raak

#include "run/watches/turn_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "run/diagnosis/diagnosis.h"
#include "run/warnings/error_growth.h"
#include "run/watches/discontinuities.h"

namespace raak {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double reach = 2.6;   // rad from a centre that a step may come; beyond pi another turn would be read
constexpr double behind = 2.0;  // rad: an angle is so far behind its centre when that has moved ahead of it

constexpr double swing = 1.0;  // rad that axes which tilt may do in a step: else they would pass the opposite unseen
constexpr double opposite = -1.0 + 5e-7;  // cosine between axes: within 1e-3 rad

double within_half_a_turn(double angle) {
  return std::remainder(angle, 2.0 * pi);
}

// rad that the second axis swings in a step.
double swing_of(const TurnGauge::Angle& angle, const Vector& rates, double h) {
  return angle.tilt < 0 ? 0.0 : rates.segment<3>(angle.tilt).norm() * std::abs(h);
}

// Cosine between where the second axis leans at two states, times the lengths across the first.
double lean(const TurnGauge::Angle& angle, const Vector& one, const Vector& other) {
  return one.segment<2>(angle.tilt).dot(other.segment<2>(angle.tilt));
}

// To the other side of the pole that is opposite to the first axis, by more than a third of a turn.
bool swings_over(const TurnGauge::Angle& angle, const Vector& one, const Vector& other) {
  constexpr double far = -0.5;  // cosine between the axes
  if (angle.tilt < 0 || one[angle.tilt + 2] > far || other[angle.tilt + 2] > far) return false;
  const double lengths = one.segment<2>(angle.tilt).norm() * other.segment<2>(angle.tilt).norm();
  return lean(angle, one, other) < -0.5 * lengths;
}

}  // namespace

TurnWatch::TurnWatch(const TurnGauge& gauge, const State& start, ErrorGrowth* errors) : gauge_(gauge), errors_(errors) {
  gauge_.offsets(start.q, offsets_);
  for (std::size_t i = 0; i < gauge_.angles().size(); ++i) {
    beyond_at_start_.push_back(offsets_[static_cast<Eigen::Index>(i)] > pi);
    watches_axes_ = watches_axes_ || gauge_.angles()[i].tilt >= 0;
  }
}

void TurnWatch::before_step(RunState& run) {
  const bool is_fixed = run.plan.fixed_step > 0.0;
  State now = run.integrator->current();
  if (move_centres(now, run.h)) {
    const double first = go_on_from(*run.integrator, now, run.plan.until, run.h);
    if (errors_ != nullptr) errors_->go_on_from(now);
    if (!is_fixed) run.h = first;
  }
  if (!is_fixed) run.h = limited(now, run.h);
}

void TurnWatch::after_attempt(RunState& run, Attempt& attempt) {
  const State &now = run.integrator->current(), &end = run.integrator->attempted();
  if (run.plan.fixed_step == 0.0 && is_too_long(now, end)) attempt = {false, 0.5 * (end.t - now.t)};
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
    const TurnGauge::Angle& angle = gauge_.angles()[i];
    if (angle.centre < 0) continue;
    share = std::min(share, swing / std::max(swing, swing_of(angle, rates_, h)));
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
    const TurnGauge::Angle& angle = gauge_.angles()[i];
    if (angle.centre < 0) continue;
    const auto k = static_cast<Eigen::Index>(i);
    if (std::max(swing_of(angle, rates_, h), swing_of(angle, rates_there_, h)) > 2.0 * swing) return true;
    if (swings_over(angle, offsets_, there_) && std::max(offsets_[angle.tilt + 2], there_[angle.tilt + 2]) > opposite)
      return true;
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

std::optional<std::size_t> TurnWatch::swung_over(const Vector& from, const Vector& to) {
  gauge_.offsets(from, offsets_);
  gauge_.offsets(to, there_);
  for (std::size_t i = 0; i < gauge_.angles().size(); ++i)
    if (swings_over(gauge_.angles()[i], offsets_, there_)) return i;
  return std::nullopt;
}

bool TurnWatch::leans_back(std::size_t angle, const Vector& from, const Vector& to) {
  gauge_.offsets(from, offsets_);
  gauge_.offsets(to, there_);
  return lean(gauge_.angles()[angle], offsets_, there_) < 0.0;
}

bool TurnWatch::are_opposite(std::size_t angle, const Vector& q) {
  gauge_.offsets(q, there_);
  return there_[gauge_.angles()[angle].tilt + 2] < opposite;
}

std::optional<std::size_t> TurnWatch::nearly_opposite(const Vector& q) {
  constexpr double nearly = -0.995;
  gauge_.offsets(q, there_);
  for (std::size_t i = 0; i < gauge_.angles().size(); ++i)
    if (const int tilt = gauge_.angles()[i].tilt; tilt >= 0 && there_[tilt + 2] < nearly) return i;
  return std::nullopt;
}

namespace {

Diagnosis half_turn_at(const ConstrainedSystem& system, const State& start, const State& there, double step) {
  Diagnosis found = look_around(system, start, there, step);
  found.cause = Diagnosis::Cause::half_turn;
  found.conditioning.rows.clear();  // nothing is wrong with the constraints
  found.worst_constraint.clear();
  found.growth = 0.0;
  return found;
}

}  // namespace

Diagnosis diagnose_opposite_axes(const ConstrainedSystem& system, const State& start, const State& there, double step,
                                 const std::string& force) {
  Diagnosis found = half_turn_at(system, start, there, step);
  found.happened = fmt::format(
      "at t = {:.9g} s the axes of torsion spring \"{}\" point in opposite directions, "
      "half a turn apart",
      there.t, force);
  found.because =
      "the angle of a torsion spring whose axes tilt is what is left after the shortest turn that brings one axis to "
      "the "
      "other, and of opposite axes there is no shortest one: the angle is not defined";
  found.advice = fmt::format(
      "end the run before that time, let \"{}\" act about axes that do not come to be opposite, or connect the two "
      "bodies by a joint that keeps its axes parallel",
      force);
  return found;
}

Diagnosis diagnose_half_turn(const ConstrainedSystem& system, const State& start, const State& there, double step,
                             const std::string& force) {
  Diagnosis found = half_turn_at(system, start, there, step);
  found.happened =
      fmt::format("at t = {:.9g} s the bodies of bushing \"{}\" have turned by half a turn", there.t, force);
  found.because =
      "the torque of a bushing in space follows the shortest rotation between its bodies, which changes its direction "
      "there: it cannot count how often they have turned";
  found.advice = fmt::format(
      "end the run before that time, let the two bodies turn on a revolute joint whose axis has the same numbers in "
      "both (the bushing then counts turns), or use a torsion-spring instead of the torsion of \"{}\"",
      force);
  return found;
}

}  // namespace raak

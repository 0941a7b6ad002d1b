#include "run/watches/discontinuities.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace raak {
namespace {

// Of a step: the error of the parabola there is beyond the twelfth digit of the step's change.
constexpr double share_of_parabola = 1e-6;
constexpr double first_approach = 0.1;     // of the way to a jump is left by the first step towards it
constexpr double shortest_approach = 0.5;  // of what follows the parabola
constexpr double doubt = 10.0;             // times the last change of the foreseen time is kept as a distance
constexpr int looks_ahead = 16;            // in a step: a switch that changes twice between them is not seen
constexpr double looks_in_run = 2048.0;    // and at least so many in all, where steps are long
constexpr double rapid_gap = 1e-3;         // of a step: crossings closer than this are no motion through the switch
constexpr int most_rapid_crossings = 3;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

int sign_of(double x) {
  return x > 0.0 ? 1 : x < 0.0 ? -1 : 0;
}

}  // namespace

DiscontinuityWatch::DiscontinuityWatch(const ConstrainedSystem& system, const State& start, double first_step,
                                       double span)
    : system_(system),
      switches_(static_cast<std::size_t>(system.switches())),
      values_(Vector::Zero(system.switches())),
      q_(start.q),
      v_(start.v),
      t_(start.t),
      span_(span),
      direction_(first_step < 0.0 ? -1.0 : 1.0),
      regular_(first_step) {
  learn_signs(start);
}

double DiscontinuityWatch::reach() const {
  return std::max(share_of_parabola * std::abs(regular_), 16.0 * epsilon * std::abs(t_));
}

void DiscontinuityWatch::look(double t, const Vector& q, const Vector& v) {
  system_.evaluate_switches(t, q, v, values_);
}

void DiscontinuityWatch::move(const State& from, double tau) {
  t_ = from.t + tau;
  q_ = from.q + tau * from.v + (0.5 * tau * tau) * from.a;
  v_ = from.v + tau * from.a;
}

bool DiscontinuityWatch::any_changed() const {
  for (std::size_t i = 0; i < switches_.size(); ++i)
    if (!switches_[i].ignored && switches_[i].sign * sign_of(values_[static_cast<Eigen::Index>(i)]) < 0) return true;
  return false;
}

bool DiscontinuityWatch::has_changed_after(const State& from, double tau) {
  move(from, tau);
  look(t_, q_, v_);
  return any_changed();
}

// The first tau after which a sign has changed, where none has after `before`: by bisection to rounding.
double DiscontinuityWatch::find_change(const State& from, double before, double after) {
  const double finest = std::max(share_of_parabola * reach(), 2.0 * epsilon * std::abs(from.t));
  while (std::abs(after - before) > finest) {
    const double middle = 0.5 * (before + after);
    if (middle == before || middle == after) break;
    (has_changed_after(from, middle) ? after : before) = middle;
  }
  return after;
}

// Signs that are not known, or were not looked at for a while, as they are a moment later.
void DiscontinuityWatch::learn_signs(const State& now) {
  bool needed = false;
  for (Switch& each : switches_) {
    if (each.ignored && direction_ * (now.t - each.ignored_until) > 0.0) {
      each.ignored = false;
      each.sign = 0;
    }
    needed = needed || each.sign == 0;
  }
  if (!needed) return;
  move(now, direction_ * 2.0 * reach());
  look(t_, q_, v_);
  for (std::size_t i = 0; i < switches_.size(); ++i)
    if (switches_[i].sign == 0) switches_[i].sign = sign_of(values_[static_cast<Eigen::Index>(i)]);
}

// A motion that is driven back to the switch from both sides (dry friction that sticks) has no end of crossings: such a
// switch is left to the error control of the method, each time for twice as long.
void DiscontinuityWatch::note_crossing(Switch& each, double t) const {
  const bool rapid = each.crossed_at != 0.0 && std::abs(t - each.crossed_at) < rapid_gap * std::abs(regular_);
  each.rapid_crossings = rapid ? each.rapid_crossings + 1 : 0;
  if (!rapid && std::abs(t - each.crossed_at) > 100.0 * each.pause) each.pause = 0.0;
  each.crossed_at = t;
  each.sign = -each.sign;
  if (each.rapid_crossings < most_rapid_crossings) return;
  each.ignored = true;
  each.pause = std::max(2.0 * each.pause, std::abs(regular_));
  each.ignored_until = t + direction_ * each.pause;
  each.rapid_crossings = 0;
}

// In a switch neither branch holds: the accelerations are those of a moment later.
bool DiscontinuityWatch::leave_start(State& state) {
  at_start_ = false;
  look(state.t, state.q, state.v);
  if ((values_.array() != 0.0).all()) return false;
  move(state, direction_ * share_of_parabola * reach());
  if (t_ == state.t) move(state, direction_ * 4.0 * epsilon * std::abs(t_));
  take_over(state);
  return true;
}

void DiscontinuityWatch::take_over(State& state) {
  state.t = t_;
  state.q = q_;
  state.v = v_;
  update_accelerations(system_, state);
}

bool DiscontinuityWatch::is_stuck() const {
  return std::any_of(switches_.begin(), switches_.end(), [](const Switch& each) { return each.ignored; });
}

// The last bit of a run, with no jump before its end: along the parabola, whatever lies at the end itself. A method
// would ask for accelerations there, where rounding decides on the branch.
bool DiscontinuityWatch::end_run(State& state, double until) {
  const double left = until - state.t;
  const double shy = direction_ * std::max(share_of_parabola * reach(), 8.0 * epsilon * std::abs(until));
  const bool has_jump = has_changed_after(state, left + direction_ * shortest_approach * reach());
  const State from = state;
  move(from, has_jump && std::abs(left) > std::abs(shy) ? left - shy : left);
  if (!has_jump || std::abs(left) > std::abs(shy)) take_over(state);
  move(from, left);
  state.t = until;
  state.q = q_;
  state.v = v_;
  return true;
}

bool DiscontinuityWatch::cross(State& state, double until) {
  if (at_start_ && leave_start(state)) return true;
  learn_signs(state);
  const double left = std::abs(until - state.t);
  const bool is_near_end = left <= 2.0 * reach();
  const double step = is_near_end ? until - state.t : direction_ * reach();
  if (!has_changed_after(state, step)) return is_near_end && end_run(state, until);
  const double tau = find_change(state, 0.0, step);
  if (is_near_end && left - std::abs(tau) < share_of_parabola * reach()) return end_run(state, until);
  has_changed_after(state, tau);
  for (std::size_t i = 0; i < switches_.size(); ++i)
    if (switches_[i].sign * sign_of(values_[static_cast<Eigen::Index>(i)]) < 0) note_crossing(switches_[i], t_);
  take_over(state);
  approaching_ = false;
  return true;
}

void DiscontinuityWatch::before_step(RunState& run) {
  run.h = before_discontinuity(run.integrator->current(), run.h, run.plan.until);
  run.may_stretch = !approaching_;
}

void DiscontinuityWatch::after_attempt(RunState& run, Attempt& attempt) {
  const State &now = run.integrator->current(), &end = run.integrator->attempted();
  if (is_passed_by(now, end, run.plan.until)) attempt = {false, 0.5 * (end.t - now.t)};
}

int DiscontinuityWatch::looks_along(double h) const {
  return std::max(looks_ahead, static_cast<int>(std::min(1.0, std::abs(h) / span_) * looks_in_run));
}

double DiscontinuityWatch::before_discontinuity(const State& now, double h, double until) {
  if (!approaching_) regular_ = h;
  const double left = std::abs(until - now.t);
  const double far = direction_ * std::min(std::abs(h), left + reach());
  const int looks = looks_along(far);
  double tau = 0.0;
  for (int i = 1; i <= looks && tau == 0.0; ++i) {
    const double ahead = far * i / looks;
    if (has_changed_after(now, ahead)) tau = find_change(now, ahead - far / looks, ahead);
  }
  if (tau == 0.0) {
    approaching_ = false;
    return h;
  }
  const double due = now.t + tau;
  const double away = first_approach * std::abs(tau);
  const double kept = approaching_ ? std::min(away, doubt * std::abs(due - foreseen_)) : away;
  foreseen_ = due;
  approaching_ = true;
  return tau - direction_ * std::max(kept, shortest_approach * reach());
}

bool DiscontinuityWatch::is_passed_by(const State& now, const State& end, double until) {
  const double h = end.t - now.t;
  if (std::abs(h) <= 2.0 * reach()) return false;
  look(end.t, end.q, end.v);
  if (any_changed()) return true;
  if (end.t != until) return false;
  const double little = direction_ * 0.5 * shortest_approach * reach();
  q_ = end.q + little * end.v;
  v_ = end.v + (little / h) * (end.v - now.v);
  look(end.t + little, q_, v_);
  return any_changed();
}

void Crossing::interpolate(double t, Vector& q, Vector& v) {
  const double tau = t - from_.t;
  q = from_.q + tau * from_.v + (0.5 * tau * tau) * from_.a;
  v = from_.v + tau * from_.a;
}

double go_on_from(Integrator& method, const State& state, double until, double step) {
  if (!method.starts_at_order_one() || state.t == until) {
    method.resume(state, until);
    return step;
  }
  const double first = method.begin(state, until);
  return std::abs(first) < std::abs(step) ? first : step;
}

void blame_switch(Diagnosis& diagnosis) {
  diagnosis.because =
      "a force switches back and forth here (chattering), since the motion is driven back to the change from both "
      "sides, as "
      "by dry friction that sticks: sign() has no solution that stays there";
  diagnosis.advice = "a steep but smooth function instead, such as tanh(v/1e-3) for sign(v)";
}

}  // namespace raak

#include "run/events.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace raak {
namespace {

// Steps of a high order are long: a function may cross zero twice within one.
constexpr int parts_of_step = 8;
constexpr double sharpness = 1e-13;      // of the step
constexpr double same_as_start = 1e-12;  // of the step

double usable(double value) {
  return std::isfinite(value) ? value : 0.0;
}

bool wanted(Event::Direction direction, double before) {
  return direction == Event::Direction::any || (before < 0.0) == (direction == Event::Direction::up);
}

}  // namespace

// The three steps of ITP with kappa1 = 0.2 / |b - a|, kappa2 = 2, n0 = 1: interpolation by regula falsi, truncation
// towards the middle, projection onto the interval that bisection would allow.
double find_root(const std::function<double(double)>& value, double a, double value_a, double b, double value_b,
                 double tolerance) {
  if (value_a == 0.0) return a;
  if (value_b == 0.0) return b;
  const double kappa = 0.2 / std::abs(b - a);
  const double halvings = std::ceil(std::log2(std::max(1.0, std::abs(b - a) / (2.0 * tolerance)))) + 1.0;
  for (int j = 0; std::abs(b - a) > 2.0 * tolerance; ++j) {
    const double middle = 0.5 * (a + b);
    if (middle == a || middle == b) break;
    const double width = std::abs(b - a);
    const double radius = std::max(0.0, tolerance * std::exp2(halvings - j) - 0.5 * width);
    const double falsi = (value_b * a - value_a * b) / (value_b - value_a);
    const double away = middle - falsi;
    const double truncation = kappa * width * width;
    const double truncated = truncation <= std::abs(away) ? falsi + std::copysign(truncation, away) : middle;
    double x = std::abs(truncated - middle) <= radius ? truncated : middle - std::copysign(radius, away);
    if (!(x > std::min(a, b) && x < std::max(a, b))) x = middle;
    const double y = usable(value(x));
    if (y == 0.0) return x;
    if ((y < 0.0) == (value_a < 0.0)) {
      a = x;
      value_a = y;
    } else {
      b = x;
      value_b = y;
    }
  }
  return 0.5 * (a + b);
}

EventWatch::EventWatch(const ConstrainedSystem& system, const std::vector<Event>& events, const State& start)
    : system_(system), events_(events), start_(start.t), before_(start.t), node_(start.t), between_(start) {
  for (const Event& event : events_) values_.push_back(usable(event.value(start)));
}

const State& EventWatch::between(double t, Integrator& step) {
  between_.t = t;
  step.interpolate(t, between_.q, between_.v);
  update_accelerations(system_, between_);
  return between_;
}

void EventWatch::look(std::size_t event, double t, double value, Integrator& step) {
  const double before = values_[event];
  values_[event] = value;
  const bool reached = before != 0.0 && (value == 0.0 || (before < 0.0) != (value < 0.0));
  if (!reached || !wanted(events_[event].direction, before)) return;
  const double h = std::abs(step.current().t - before_);
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * std::abs(t);
  const auto along = [&](double x) { return events_[event].value(between(x, step)); };
  const double root = find_root(along, node_, before, t, value, std::max(sharpness * h, rounding));
  if (std::abs(root - start_) <= std::max(same_as_start * h, rounding)) return;
  crossings_.push_back({event, root});
}

bool EventWatch::after_step(Integrator& step, std::vector<EventRecord>& records) {
  const State& end = step.current();
  crossings_.clear();
  for (int part = 1; part <= parts_of_step; ++part) {
    const bool last = part == parts_of_step;
    const double t = last ? end.t : before_ + (end.t - before_) * part / parts_of_step;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      // An event that was located has moved the dense output: look again.
      if (!last && (i == 0 || between_.t != t)) between(t, step);
      look(i, t, usable(events_[i].value(last ? end : between_)), step);
    }
    node_ = t;
  }
  const bool forward = end.t >= before_;
  before_ = end.t;
  std::stable_sort(crossings_.begin(), crossings_.end(),
                   [&](const Crossing& a, const Crossing& b) { return forward ? a.t < b.t : a.t > b.t; });
  for (const Crossing& crossing : crossings_) {
    records.push_back({events_[crossing.event].name, between(crossing.t, step)});
    if (events_[crossing.event].action == Event::Action::stop) return true;
  }
  return false;
}

}  // namespace raak

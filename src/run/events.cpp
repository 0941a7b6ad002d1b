#include "run/events.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace raak {
namespace {

constexpr std::size_t fewest_parts = 8;  // steps of a high order are long
constexpr std::size_t most_parts = 512;
constexpr double sharpness = 1e-13;      // of the step
constexpr double same_as_start = 1e-12;  // of the step

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
    const double y = value(x);
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
    : system_(system), events_(events), start_(start.t), before_(start.t), times_{start.t}, between_(start) {
  for (const Event& event : events_) values_.push_back({event.value(start)});
}

const State& EventWatch::between(double t, Integrator& step) {
  if (between_.t == t) return between_;
  between_.t = t;
  step.interpolate(t, between_.q, between_.v);
  update_accelerations(system_, between_);
  return between_;
}

double EventWatch::value(std::size_t event, double t, Integrator& step) {
  const double found = events_[event].value(t == step.current().t ? step.current() : between(t, step));
  return std::isfinite(found) ? found : std::numeric_limits<double>::quiet_NaN();
}

// The nodes that a step gets at first.
void EventWatch::sample(Integrator& step) {
  const double end = step.current().t;
  for (std::size_t part = 1; part <= fewest_parts; ++part) {
    const double share = static_cast<double>(part) / static_cast<double>(fewest_parts);
    times_.push_back(part == fewest_parts ? end : before_ + share * (end - before_));
    for (std::size_t i = 0; i < events_.size(); ++i) values_[i].push_back(value(i, times_.back(), step));
  }
}

void EventWatch::halve(Integrator& step) {
  const std::size_t parts = times_.size() - 1;
  times_.resize(2 * parts + 1);
  for (std::vector<double>& values : values_) values.resize(2 * parts + 1);
  for (std::size_t k = parts; k > 0; --k) {
    times_[2 * k] = times_[k];
    times_[2 * k - 1] = 0.5 * (times_[k - 1] + times_[k]);
    for (std::size_t i = 0; i < events_.size(); ++i) {
      values_[i][2 * k] = values_[i][k];
      values_[i][2 * k - 1] = value(i, times_[2 * k - 1], step);
    }
  }
}

// Whether a node in the middle lies so far from the cubic through the four around it that another zero may hide beside
// it.
bool EventWatch::is_surprising(const std::vector<double>& values) const {
  const std::size_t last = values.size() - 1;
  for (std::size_t k = 1; k < last; k += 2) {
    const double y0 = values[k - 1];
    const double y1 = values[k + 1];
    const bool inner = k >= 3 && k + 3 <= last;
    const double cubic = inner ? (9.0 * (y0 + y1) - values[k - 3] - values[k + 3]) / 16.0 : 0.5 * (y0 + y1);
    const double off = std::abs(values[k] - cubic);
    if (!std::isfinite(off)) return true;
    const double nearest = std::min({std::abs(y0), std::abs(values[k]), std::abs(y1)});
    const bool far_apart = std::max({std::abs(y0), std::abs(values[k]), std::abs(y1)}) > 0.0 && nearest < off;
    if (inner && far_apart && off > 1e-2 * std::max(std::abs(y0), std::abs(y1))) return true;
  }
  return false;
}

void EventWatch::cross(std::size_t event, double a, double value_a, double b, double value_b, Integrator& step) {
  if (!wanted(events_[event].direction, value_a)) return;
  const double h = std::abs(step.current().t - before_);
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * std::abs(b);
  const auto along = [&](double t) { return value(event, t, step); };
  const double root = find_root(along, a, value_a, b, value_b, std::max(sharpness * h, rounding));
  if (std::abs(root - start_) <= std::max(same_as_start * h, rounding)) return;
  if (!(std::abs(along(root)) <= std::max(std::abs(value_a), std::abs(value_b)))) return;  // a pole
  crossings_.push_back({event, root});
}

void EventWatch::look(std::size_t event, Integrator& step) {
  const std::vector<double>& y = values_[event];
  for (std::size_t k = 1; k < y.size(); ++k) {
    const double y0 = y[k - 1];
    const double y1 = y[k];
    if (y0 == 0.0 || std::isnan(y0) || std::isnan(y1)) continue;  // leaving zero is no event
    if (y1 == 0.0 || (y0 < 0.0) != (y1 < 0.0)) {
      cross(event, times_[k - 1], y0, times_[k], y1, step);
      continue;
    }
    // A turning point between the nodes may reach over zero and back.
    const std::size_t c = k + 1 < y.size() ? k : k - 1;
    const double curvature = y[c - 1] - 2.0 * y[c] + y[c + 1];
    const double turn = times_[c] + 0.5 * (y[c - 1] - y[c + 1]) / curvature * (times_[k] - times_[k - 1]);
    if (!((turn - times_[k - 1]) * (times_[k] - turn) > 0.0)) continue;
    const double there = value(event, turn, step);
    if (std::isnan(there) || (there < 0.0) == (y1 < 0.0)) continue;
    cross(event, times_[k - 1], y0, turn, there, step);
    cross(event, turn, there, times_[k], y1, step);
  }
}

bool EventWatch::after_step(Integrator& step, std::vector<EventRecord>& records) {
  crossings_.clear();
  between_.t = std::numeric_limits<double>::quiet_NaN();  // belongs to the step before
  sample(step);
  do halve(step);
  while (times_.size() <= most_parts &&
         std::any_of(values_.begin(), values_.end(), [&](const auto& values) { return is_surprising(values); }));
  for (std::size_t i = 0; i < events_.size(); ++i) look(i, step);
  const double end = step.current().t;
  const bool forward = end >= before_;
  before_ = end;
  times_ = {end};
  for (std::vector<double>& values : values_) values = {values.back()};
  const auto stops = [&](const Crossing& c) { return events_[c.event].action == Event::Action::stop; };
  std::stable_sort(crossings_.begin(), crossings_.end(), [&](const Crossing& a, const Crossing& b) {
    if (a.t != b.t) return forward ? a.t < b.t : a.t > b.t;
    return !stops(a) && stops(b);
  });
  for (const Crossing& crossing : crossings_) {
    records.push_back({events_[crossing.event].name, between(crossing.t, step)});
    if (stops(crossing)) return true;
  }
  return false;
}

}  // namespace raak

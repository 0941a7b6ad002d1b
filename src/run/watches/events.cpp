#include "run/watches/events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "run/run_state.h"

namespace raak {
namespace {

constexpr std::size_t fewest_parts = 8;  // steps of a high order are long
constexpr double sharpness = 1e-13;      // of the step
constexpr double same_as_start = 1e-12;  // of the step

constexpr double rounding_of_values = 8.0 * std::numeric_limits<double>::epsilon();  // of the largest in the step

bool wanted(Event::Direction direction, double before) {
  return direction == Event::Direction::any || (before < 0.0) == (direction == Event::Direction::up);
}

}  // namespace

EventWatch::EventWatch(const ConstrainedSystem& system, const std::vector<Event>& events, const State& start)
    : system_(system), events_(events), start_(start.t), before_(start.t), times_{start.t}, between_(start) {
  undefined_since_.assign(events_.size(), std::numeric_limits<double>::quiet_NaN());
  too_fast_since_ = undefined_since_;
  for (std::size_t i = 0; i < events_.size(); ++i) values_.push_back({value(i, start)});
}

const State& EventWatch::between(double t, Integrator& step) {
  if (between_.t == t) return between_;
  between_.t = t;
  step.interpolate(t, between_.q, between_.v);
  update_accelerations(system_, between_);
  return between_;
}

double EventWatch::value(std::size_t event, const State& state) {
  const double found = events_[event].value(state);
  if (!std::isfinite(found) && std::isnan(undefined_since_[event])) undefined_since_[event] = state.t;
  return found;
}

double EventWatch::value(std::size_t event, double t, Integrator& step) {
  const double found = value(event, t == step.current().t ? step.current() : between(t, step));
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

namespace {

// Whether a value in the middle of the four around it lies so far from what they predict that another zero may hide
// beside it.
bool hides_zero(double found, double predicted, double y0, double y1) {
  const double off = std::abs(found - predicted);
  const double nearest = std::min({std::abs(y0), std::abs(found), std::abs(y1)});
  return nearest < off && off > 1e-2 * std::max(std::abs(y0), std::abs(y1));
}

// How many of every second node the cubic through the four around them does not predict.
std::size_t surprises(const std::vector<double>& y) {
  std::size_t count = 0;
  for (std::size_t k = 3; k + 3 < y.size(); k += 2)
    if (hides_zero(y[k], (9.0 * (y[k - 1] + y[k + 1]) - y[k - 3] - y[k + 3]) / 16.0, y[k - 1], y[k + 1])) ++count;
  return count;
}

bool is_defined(const std::vector<double>& y) {
  return std::all_of(y.begin(), y.end(), [](double value) { return std::isfinite(value); });
}

// Of what the nodes do not resolve: jumps and poles surprise at a few of them, vibrations at many, or at none of them
// and only between them.
bool is_vibrating(const std::vector<double>& y) {
  const std::size_t count = surprises(y);
  return is_defined(y) && (count == 0 || count > y.size() / 32);
}

// Nodes at equal distances may all meet a vibration in the same phase. Shares of the distance between them that are as
// far from simple fractions as the golden section cannot. How many such places the cubic around does not predict.
template <class Value>
std::size_t surprises_at_odd_places(const std::vector<double>& times, const std::vector<double>& y, Value&& value) {
  constexpr std::size_t places = 8;
  constexpr double golden = 0.61803398874989485;
  std::size_t count = 0;
  const std::size_t cells = y.size() - 3;  // that have a neighbour on either side
  for (std::size_t i = 0; i < places; ++i) {
    const std::size_t k = 1 + i * cells / places;
    const double x = std::fmod(golden * static_cast<double>(i + 1), 1.0);
    const double cubic = -x * (x - 1.0) * (x - 2.0) / 6.0 * y[k - 1] + (x * x - 1.0) * (x - 2.0) / 2.0 * y[k] -
                         x * (x + 1.0) * (x - 2.0) / 2.0 * y[k + 1] + x * (x * x - 1.0) / 6.0 * y[k + 2];
    const double found = value(times[k] + x * (times[k + 1] - times[k]));
    if (std::isfinite(found + cubic) && hides_zero(found, cubic, y[k], y[k + 1])) ++count;
  }
  return count;
}

}  // namespace

bool EventWatch::is_surprising_at_odd_places(std::size_t event, Integrator& step) {
  return surprises_at_odd_places(times_, values_[event], [&](double t) { return value(event, t, step); }) > 0;
}

bool EventWatch::is_resolved(std::size_t event, Integrator& step) {
  const std::vector<double>& y = values_[event];
  return is_defined(y) && surprises(y) == 0 && !is_surprising_at_odd_places(event, step);
}

// Halves the nodes until every event is resolved by them, or there are too many.
void EventWatch::resolve(Integrator& step) {
  const auto unresolved = [&] {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < events_.size(); ++i)
      if (!is_resolved(i, step)) found.push_back(i);
    return found;
  };
  halve(step);
  std::vector<std::size_t> left = unresolved();
  while (!left.empty() && times_.size() <= most_places_of_events / 2) {
    halve(step);
    left = unresolved();
  }
  constexpr std::size_t more_than_jumps = 3;
  for (const std::size_t i : left) {
    if (!std::isnan(too_fast_since_[i])) continue;
    const auto along = [&](double t) { return value(i, t, step); };
    if (is_vibrating(values_[i]) || surprises_at_odd_places(times_, values_[i], along) >= more_than_jumps)
      too_fast_since_[i] = before_;
  }
}

// Across zero and back by no more than rounding: the function touches zero, once.
bool EventWatch::is_same_touch(std::size_t event, double root, Integrator& step) {
  if (crossings_.empty() || crossings_.back().event != event) return false;
  double largest = 0.0;
  for (const double y : values_[event])
    if (std::abs(y) > largest) largest = std::abs(y);
  // At several places: of zeros in one direction alone, one in the other may lie in the middle.
  const double last = crossings_.back().t;
  for (const double share : {0.5, 0.381966, 0.763932})
    if (!(std::abs(value(event, last + share * (root - last), step)) <= rounding_of_values * largest)) return false;
  return true;
}

void EventWatch::cross(std::size_t event, double a, double value_a, double b, double value_b, Integrator& step) {
  if (value_a == 0.0 || !wanted(events_[event].direction, value_a)) return;  // leaving zero is no event
  const double h = std::abs(step.current().t - before_);
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * std::abs(b);
  const auto along = [&](double t) { return value(event, t, step); };
  const double tolerance = std::max(sharpness * h, rounding);
  double root = find_root(along, a, value_a, b, value_b, tolerance);
  if (along(root) == 0.0) root = first_zero(along, a, root, tolerance);
  if (std::abs(root - start_) <= std::max(same_as_start * h, rounding)) return;
  // Towards a zero a function gets smaller, towards a pole larger.
  const double on_the_way = 0.5 * (root + (std::abs(root - a) > std::abs(root - b) ? a : b));
  if (!(std::abs(along(root)) <= std::abs(along(on_the_way)))) return;
  if (!is_same_touch(event, root, step)) crossings_.push_back({event, root});
}

void EventWatch::look(std::size_t event, Integrator& step) {
  const std::vector<double>& y = values_[event];
  for (std::size_t k = 1; k < y.size(); ++k) {
    const double y0 = y[k - 1];
    const double y1 = y[k];
    if (y0 == 0.0 || std::isnan(y0) || std::isnan(y1)) continue;
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

void EventWatch::after_step(RunState& run, Integrator& step) {
  if (!find_crossings(step, run.result.events)) return;
  const EventRecord& last = run.result.events.back();
  run.ended_at = last.state;
  run.result.message = fmt::format("event \"{}\" ended the run at t = {:.9g} s", last.name, last.state.t);
  run.is_over = true;
}

void EventWatch::conclude(RunState& run) {
  for (std::size_t i = 0; i < events_.size(); ++i)
    if (!std::isnan(undefined_since_[i]))
      run.result.warn(fmt::format(
          "event \"{}\" has no value at t = {:.6g} s and may be missed where it has none: its formula divides by zero "
          "there, takes the root or logarithm of a negative number, or holds a reaction that is not unique",
          events_[i].name, undefined_since_[i]));
  for (std::size_t i = 0; i < events_.size(); ++i)
    if (!std::isnan(too_fast_since_[i]))
      run.result.warn(fmt::format(
          "event \"{}\" varies so fast from t = {:.6g} s on that zeros may be missed: a step is looked at in "
          "{} places at most. Shorter steps find more: --step",
          events_[i].name, too_fast_since_[i], most_places_of_events));
}

// True: the last one ends the run.
bool EventWatch::find_crossings(Integrator& step, std::vector<EventRecord>& records) {
  crossings_.clear();
  between_.t = std::numeric_limits<double>::quiet_NaN();  // belongs to the step before
  sample(step);
  resolve(step);
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

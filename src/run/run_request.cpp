#include "run/run_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text/text.h"

namespace raak {
namespace {

constexpr double most_samples = 1e7;

// A multiple as a person writes it, 0.3 and not 0.30000000000000004: the last two digits of a product are rounding.
double decimal(double value) {
  return *parse_number(fmt::format("{:.15g}", value));
}

Event::Direction direction_of(const ModelEvent& event) {
  if (event.direction == "up") return Event::Direction::up;
  return event.direction == "down" ? Event::Direction::down : Event::Direction::any;
}

}  // namespace

const std::string& method_of(const Run& run) {
  static const std::string usual = default_method;
  return run.method.empty() ? usual : run.method;
}

std::vector<double> times_every(const std::string& asked, double spacing, double start, double until) {
  const double count = std::abs(until - start) / spacing;
  if (count > most_samples)
    refuse(fmt::format("{} asks for {:.2g} samples; the limit is {:.0e}", asked, count, most_samples));
  // The last sample is `until` itself, also when rounding puts a multiple of the spacing a hair beside it.
  std::vector<double> times;
  const double direction = until < start ? -1.0 : 1.0;
  const long whole = std::max(1L, std::lround(std::ceil(count - 1e-9)));
  for (long i = 0; i < whole; ++i) times.push_back(decimal(start + direction * static_cast<double>(i) * spacing));
  times.push_back(until);
  return times;
}

std::vector<double> times_at(const std::string& asked, std::vector<double> times, double start, double until) {
  for (const double t : times)
    if (!(t >= std::min(start, until) && t <= std::max(start, until)))
      refuse(fmt::format("{} {}: the time is outside the run, which goes from {} to {} s", asked, t, start, until));
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  if (until < start) std::reverse(times.begin(), times.end());
  return times;
}

std::vector<Event> events_of(const Model& model) {
  std::vector<Event> events;
  for (const ModelEvent& event : model.events) {
    const Event::Action action = event.stop ? Event::Action::stop : Event::Action::record;
    const auto value = [functions = model.event_functions, i = events.size()](const State& state) {
      return event_value(*functions, i, state);
    };
    events.push_back({event.name, value, direction_of(event), action});
  }
  return events;
}

Plan plan_of(const Run& run, const Model& model) {
  const double start = model.start.t;
  Plan plan;
  plan.until = run.until;
  plan.method = method_of(run);
  plan.form = run.form;
  plan.dropped_rows = model.dropped_rows;
  plan.tolerances = Tolerances::uniform(run.rtol, run.atol.value_or(run.rtol));
  plan.first_step = run.first_step.at(run.rtol);
  plan.fixed_step = run.fixed_step;
  if (run.every > 0.0)
    plan.sample_times = times_every(fmt::format("every = {}", exact_text(run.every)), run.every, start, run.until);
  if (!run.at.empty()) plan.sample_times = times_at("at =", run.at, start, run.until);
  plan.events = events_of(model);
  return plan;
}

}  // namespace raak

#include "run/watches/undefined_events.h"

#include <fmt/format.h>

#include <cmath>

namespace raak {

std::vector<Event> UndefinedEvents::watched(const std::vector<Event>& events) {
  first_.assign(events.size(), std::nullopt);
  std::vector<Event> result = events;
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i].value = [this, i, value = events[i].value](const State& state) {
      const double found = value(state);
      if (!std::isfinite(found) && !first_[i]) first_[i] = state.t;
      return found;
    };
  return result;
}

void UndefinedEvents::tell(const std::vector<Event>& events, std::vector<std::string>& warnings) const {
  for (std::size_t i = 0; i < first_.size(); ++i)
    if (first_[i])
      warnings.push_back(fmt::format(
          "event \"{}\" has no value at t = {:.6g} s and may be missed where it has none: its formula divides by zero "
          "there, takes the root or logarithm of a negative number, or holds a reaction that is not unique",
          events[i].name, *first_[i]));
}

void tell_of_fast_events(const EventWatch& watch, const std::vector<Event>& events,
                         std::vector<std::string>& warnings) {
  for (std::size_t i = 0; i < events.size(); ++i)
    if (const double since = watch.too_fast_since(i); std::isfinite(since))
      warnings.push_back(fmt::format(
          "event \"{}\" varies so fast from t = {:.6g} s on that zeros may be missed: a step is looked at in "
          "{} places at most. Shorter steps find more: --step",
          events[i].name, since, most_places_of_events));
}

}  // namespace raak

#include "run/watches/no_room.h"

#include <fmt/format.h>

namespace raak {

Diagnosis diagnose_no_room(double t, double until, double step, const std::string& because, const std::string& advice) {
  Diagnosis found;
  found.cause = Diagnosis::Cause::no_room;
  found.t = t;
  found.step = step;
  found.happened = fmt::format("stopped at t = {:.9g} s of {:.9g} s", t, until);
  found.because = because;
  found.advice = advice;
  return found;
}

void forget_late_events(Result& result) {
  std::vector<EventRecord>& events = result.events;
  constexpr std::size_t most = 1000;
  const std::size_t all = events.size();
  if (all <= most) return;
  events.erase(events.begin() + most, events.end());
  events.shrink_to_fit();
  result.warn(fmt::format("only the first {} of {} events are listed: there is no memory for all of them", most, all));
}

}  // namespace raak

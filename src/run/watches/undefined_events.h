// Events whose functions have no value somewhere on the way, or vary too fast, are told once: they may be missed there.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "run/watches/events.h"

namespace raak {

class UndefinedEvents {
 public:
  // The same events, listened to: to be used no longer than this object.
  std::vector<Event> watched(const std::vector<Event>& events);
  void tell(const std::vector<Event>& events, std::vector<std::string>& warnings) const;

  void visit_state(Archive& archive) { archive(first_); }

 private:
  std::vector<std::optional<double>> first_;  // s
};

void tell_of_fast_events(const EventWatch& watch, const std::vector<Event>& events, std::vector<std::string>& warnings);

}  // namespace raak

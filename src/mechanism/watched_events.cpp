#include "mechanism/watched_events.h"

namespace raak {

std::vector<ModelEvent> events_of(const Mechanism& mechanism) {
  std::vector<ModelEvent> events;
  for (const EventSpec& spec : mechanism.events) events.push_back({spec.name, spec.direction, spec.action == "stop"});
  return events;
}

std::shared_ptr<const MaximalFormulas> event_formulas(const MaximalFormulas& formulas) {
  std::vector<NamedQuantity> functions;
  for (const EventSpec& spec : formulas.instance().mechanism().events) functions.push_back({spec.name, spec.when});
  const auto watched = std::make_shared<MaximalFormulas>(formulas);
  watched->evaluate_instead(functions);
  return watched;
}

}  // namespace raak

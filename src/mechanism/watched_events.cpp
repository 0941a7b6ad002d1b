#include "mechanism/watched_events.h"

namespace raak {

std::vector<ModelEvent> watched_events(
    const MaximalFormulas& formulas,
    const std::function<std::shared_ptr<const ConstrainedSystem>(std::shared_ptr<MaximalFormulas>)>& make_system) {
  const std::vector<EventSpec>& specs = formulas.instance().mechanism().events;
  if (specs.empty()) return {};
  std::vector<NamedQuantity> functions;
  for (const EventSpec& spec : specs) functions.push_back({spec.name, spec.when});
  const auto watched = std::make_shared<MaximalFormulas>(formulas);
  watched->evaluate_instead(functions);
  const std::shared_ptr<const ConstrainedSystem> system = make_system(watched);
  std::vector<ModelEvent> events;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const auto value = [system, i](const State& state) {
      Vector values(system->outputs());
      system->evaluate_outputs(state, values);
      return values[static_cast<Eigen::Index>(i)];
    };
    events.push_back({specs[i].name, value, specs[i].direction, specs[i].action == "stop"});
  }
  return events;
}

}  // namespace raak

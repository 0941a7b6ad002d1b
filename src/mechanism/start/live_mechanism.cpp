#include "mechanism/start/live_mechanism.h"

#include <cmath>

#include "base/error.h"
#include "mechanism/bodies/placement.h"
#include "mechanism/start/mechanism_assembly.h"
#include "mechanism/start/start_motion.h"

namespace raak {

LiveMechanism::LiveMechanism(std::shared_ptr<const Instance> instance, std::shared_ptr<const StartRoad> road,
                             const std::shared_ptr<const ConstrainedSystem>& maximal, std::vector<int> tree,
                             State motion, const Model& model)
    : instance_(std::move(instance)),
      road_(std::move(road)),
      systems_{model.system, maximal, road_->complete()},
      tree_(std::move(tree)),
      motion_(std::move(motion)),
      residuals_(residuals(motion_)) {
  if (model.event_functions) systems_.push_back(model.event_functions);
}

Vector LiveMechanism::residuals(const State& motion) const {
  const ConstrainedSystem& complete = *road_->complete();
  Vector g(complete.position_rows()), c(complete.rows());
  if (g.size() > 0) complete.constraint(motion.t, motion.q, g);
  if (c.size() > 0) complete.velocity_constraint(motion.t, motion.q, motion.v, c);
  Vector all(g.size() + c.size());
  all << g, c;
  return all;
}

void LiveMechanism::follow_length() const {
  for (const auto& system : systems_)
    if (system->description().length != instance_->length()) system->follow_length(instance_->length());
}

bool LiveMechanism::set(Model& model, const std::vector<std::pair<std::string, double>>& numbers) {
  if (instance_->mechanism().smooth) return false;  // a start on the slow manifold depends on everything
  std::vector<std::pair<std::string, double>> before;
  for (const auto& [name, value] : numbers) {
    const auto now = instance_->parameter(name);
    if (!now || !std::isfinite(value)) return false;
    before.emplace_back(name, *now);
  }
  if (!instance_->set(numbers)) return false;
  try {
    if (instance_->is_sound() && follow(model)) return true;
  } catch (const Error&) {
    // Why it is refused is said where the model is built anew.
  }
  instance_->set(before);
  follow_length();
  return false;
}

// The rows that were kept have to be independent where the model starts now, and those that were dropped closed.
bool LiveMechanism::follow(Model& model) {
  constexpr double closed = 1e-9;  // of the size of the mechanism
  follow_length();
  const ReportedNames& names = road_->complete()->reported();
  StartRequest start = placed_start(*instance_, names.positions, names.velocities);
  Vector residuals_now = residuals(motion_);
  if (asks_alike(start, model.start) && residuals_now == residuals_) return true;
  State motion = road_->find_motion(start);
  auto assembly = std::make_shared<const MechanismAssembly>(road_, model.system, tree_, start, motion);
  const State state = assembly->start(start);
  if (model.dropped_rows && model.dropped_rows->widest_gap(state).share > closed) return false;
  motion_ = std::move(motion);
  residuals_ = residuals(motion_);
  model.start = std::move(start);
  model.assembly = std::move(assembly);
  return true;
}

}  // namespace raak

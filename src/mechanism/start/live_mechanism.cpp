#include "mechanism/start/live_mechanism.h"

#include <cmath>

#include "base/error.h"
#include "mechanism/bodies/placement.h"

namespace raak {

LiveMechanism::LiveMechanism(std::shared_ptr<const Instance> instance, std::shared_ptr<const StartRoad> road,
                             const std::shared_ptr<const ConstrainedSystem>& maximal, std::vector<int> tree,
                             FromBodies from_bodies, State motion, const Model& model)
    : instance_(std::move(instance)),
      road_(std::move(road)),
      systems_{model.system, maximal, road_->complete()},
      tree_(std::move(tree)),
      from_bodies_(std::move(from_bodies)),
      motion_(std::move(motion)) {
  if (model.event_functions) systems_.push_back(model.event_functions);
  for (const StartEntry& entry : instance_->mechanism().start)
    for (const Quantity& value : entry.values) start_values_.push_back(instance_->number(value));
  start_numbers_ = numbers_of_start();
  if (instance_->planar() && !model.dropped_rows)
    near_.emplace(*model.system, road_->complete()->reported(), tree_, model.start);
}

std::vector<double> LiveMechanism::numbers_of_start() const {
  std::vector<double> numbers;
  for (const Live& value : start_values_) numbers.push_back(value.now());
  return numbers;
}

Vector LiveMechanism::seen_at(const State& motion) const {
  const ConstrainedSystem& complete = *road_->complete();
  Vector g(complete.position_rows()), c(complete.rows());
  if (g.size() > 0) complete.constraint(motion.t, motion.q, g);
  if (c.size() > 0) complete.velocity_constraint(motion.t, motion.q, motion.v, c);
  State full = State::of_size(complete.coordinates(), complete.rows()), shown;
  full.t = motion.t;
  full.q = motion.q;
  full.v = motion.v;
  complete.report(full, shown);
  Vector all(g.size() + c.size() + shown.q.size() + shown.v.size());
  all << g, c, shown.q, shown.v;
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
  if (seen_.size() == 0) seen_ = seen_at(motion_);
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

State LiveMechanism::find_motion(const StartRequest& start) const {
  if (!near_) return road_->find_motion(start);
  const ConstrainedSystem& system = *systems_.front();
  const auto found = near_->find(system, inner_state(*instance_, start.t, start.q, start.v), start);
  if (!found) return road_->find_motion(start);
  if (tree_.empty()) return *found;
  State shown;
  system.report(*found, shown);
  State motion = inner_state(*instance_, start.t, shown.q, shown.v);
  motion.q(tree_) = found->q;
  motion.v(tree_) = found->v;
  return motion;
}

bool LiveMechanism::follow(Model& model) {
  follow_length();
  std::vector<double> start_numbers = numbers_of_start();
  if (start_numbers == start_numbers_ && seen_at(motion_) == seen_) return true;
  if (model.dropped_rows) return false;  // with other lengths they may be no repetitions any more
  const ReportedNames& names = road_->complete()->reported();
  StartRequest start = placed_start(*instance_, names.positions, names.velocities);
  State motion = find_motion(start);
  auto assembly = std::make_shared<const MechanismAssembly>(road_, model.system, from_bodies_, start, motion);
  assembly->start(start);  // throws where the rows are dependent
  start_numbers_ = std::move(start_numbers);
  motion_ = std::move(motion);
  seen_ = seen_at(motion_);
  model.start = std::move(start);
  model.assembly = std::move(assembly);
  return true;
}

}  // namespace raak

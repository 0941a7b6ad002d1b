#include "mechanism/start/live_mechanism.h"

#include <algorithm>
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
      motion_(std::move(motion)),
      g_(road_->complete()->position_rows()),
      c_(road_->complete()->rows()),
      full_(State::of_size(road_->complete()->coordinates(), road_->complete()->rows())) {
  if (model.event_functions) systems_.push_back(model.event_functions);
  for (const StartEntry& entry : instance_->mechanism().start)
    for (const Quantity& value : entry.values) start_values_.push_back(instance_->number(value));
  first_ = {numbers_of_start(), model.start, model.assembly};
  full_.t = motion_.t;
  full_.q = motion_.q;
  full_.v = motion_.v;
  if (instance_->planar() && !model.dropped_rows)
    near_.emplace(*model.system, road_->complete()->reported(), tree_, model.start);
}

std::vector<double> LiveMechanism::numbers_of_start() const {
  std::vector<double> numbers;
  for (const Live& value : start_values_) numbers.push_back(value.now());
  return numbers;
}

const Vector& LiveMechanism::see() {
  const ConstrainedSystem& complete = *road_->complete();
  if (g_.size() > 0) complete.constraint(full_.t, full_.q, g_);
  if (c_.size() > 0) complete.velocity_constraint(full_.t, full_.q, full_.v, c_);
  complete.report_motion(full_, shown_);
  seen_now_.resize(g_.size() + c_.size() + shown_.q.size() + shown_.v.size());
  seen_now_ << g_, c_, shown_.q, shown_.v;
  return seen_now_;
}

void LiveMechanism::follow_length() const {
  for (const auto& system : systems_)
    if (system->description().length != instance_->length()) system->follow_length(instance_->length());
}

// Whoever changes parameters by the thousand names the same ones again and again.
bool LiveMechanism::find_parameters(const std::vector<std::pair<std::string, double>>& numbers) {
  const auto is_same = [](const auto& number, const std::string& name) { return number.first == name; };
  if (std::equal(numbers.begin(), numbers.end(), names_.begin(), names_.end(), is_same)) return true;
  names_.clear();
  numbers_.clear();
  for (const auto& [name, value] : numbers) {
    const Live* const parameter = instance_->changeable(name);
    if (parameter == nullptr) return false;
    numbers_.emplace_back(*parameter, value);
  }
  for (const auto& [name, value] : numbers) names_.push_back(name);
  before_ = numbers_;
  return true;
}

bool LiveMechanism::set(Model& model, const std::vector<std::pair<std::string, double>>& numbers) {
  if (instance_->mechanism().smooth) return false;  // a start on the slow manifold depends on everything
  if (!find_parameters(numbers)) return false;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers[i].second)) return false;
    before_[i].second = numbers_[i].first.now();
    numbers_[i].second = numbers[i].second;
  }
  if (seen_.size() == 0) seen_ = see();
  replaced_.reset();
  if (!instance_->set(numbers_)) return false;
  try {
    if (instance_->is_sound() && follow(model)) return true;
  } catch (const Error&) {
    // Why it is refused is said where the model is built anew.
  }
  instance_->set(before_);
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
  system.report_motion(*found, shown);
  State motion = inner_state(*instance_, start.t, shown.q, shown.v);
  motion.q(tree_) = found->q;
  motion.v(tree_) = found->v;
  return motion;
}

bool LiveMechanism::follow(Model& model) {
  follow_length();
  if (numbers_of_start() == first_.numbers && see() == seen_) {
    if (model.assembly != first_.assembly) start_from(model, first_.request, first_.assembly);
    return true;
  }
  if (model.dropped_rows) return false;  // with other lengths they may be no repetitions any more
  const ReportedNames& names = road_->complete()->reported();
  StartRequest start = placed_start(*instance_, names.positions, names.velocities);
  State motion = find_motion(start);
  auto assembly =
      std::make_shared<const MechanismAssembly>(road_, model.system, from_bodies_, start, std::move(motion));
  assembly->start(start);  // throws where the rows are dependent
  start_from(model, std::move(start), std::move(assembly));
  return true;
}

void LiveMechanism::start_from(Model& model, StartRequest request, std::shared_ptr<const Assembly> assembly) {
  replaced_.emplace();
  replaced_->request = std::exchange(model.start, std::move(request));
  replaced_->assembly = std::exchange(model.assembly, std::move(assembly));
}

bool LiveMechanism::take_back(Model& model) {
  if (replaced_) {
    model.start = std::move(replaced_->request);
    model.assembly = std::move(replaced_->assembly);
    replaced_.reset();
  }
  const bool is_back = instance_->set(before_);
  follow_length();
  return is_back;
}

}  // namespace raak

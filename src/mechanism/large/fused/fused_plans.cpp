// The passes of an evaluation: to the factors and back for accelerations; for positions, and then for velocities with
// the same factors.
#include <algorithm>

#include "base/linear/index.h"
#include "mechanism/large/evaluation.h"

namespace raak {
namespace {

FusedTask on_bodies(FusedTask::Kind kind, const Kernel* kernel, const std::vector<int>& bodies) {
  FusedTask task;
  task.kind = kind;
  task.kernel = kernel;
  for (std::size_t k = 0; k < bodies.size(); ++k) task.bodies[k] = bodies[k];
  return task;
}

FusedTask on_node(FusedTask::Kind kind, int node) {
  FusedTask task;
  task.kind = kind;
  task.node = node;
  return task;
}

}  // namespace

std::vector<FusedTasks> LargeEvaluation::rate_tasks() const {
  std::vector<char> bodies_done(bodies_.size(), 0);
  std::vector<char> elements_done(elements_.rows.size(), 0);
  std::vector<FusedTasks> groups;
  const auto need_body = [&](int b) {
    if (bodies_done[z(b)]++ != 0) return;
    const BodyPlace& body = bodies_[z(b)];
    FusedTask task =
        on_bodies(FusedTask::Kind::body, body.kernels->free[static_cast<std::size_t>(Solve::velocities)], {b});
    task.parameters = body.parameters;
    groups.back().push_back(task);
  };
  const auto need_element = [&](int e) {
    if (elements_done[z(e)]++ != 0) return;
    const RowElement& element = elements_.rows[z(e)];
    for (const int b : element.bodies) need_body(b);
    FusedTask task = on_bodies(FusedTask::Kind::rates, element.kernels->rates.get(), element.bodies);
    task.element = e;
    task.parameters = element.parameters;
    groups.back().push_back(task);
  };
  for (int j = 0; j < plan_.nodes(); ++j) {
    groups.emplace_back();
    need_element(plan_.block_of[z(j)]);
    for (int p = plan_.first[z(j)]; p < plan_.first[z(j) + 1]; ++p) need_element(plan_.block_of[z(plan_.target[z(p)])]);
    groups.back().push_back(on_node(FusedTask::Kind::forward, j));
  }
  for (int b = 1; b < static_cast<int>(bodies_.size()); ++b) {
    if (bodies_done[z(b)] != 0) continue;
    groups.emplace_back();
    need_body(b);
  }
  return groups;
}

std::vector<FusedTasks> LargeEvaluation::back_tasks() const {
  std::vector<char> touched(bodies_.size(), 0);
  std::vector<FusedTasks> groups;
  for (int j = plan_.nodes() - 1; j >= 0; --j) {
    const int e = plan_.block_of[z(j)];
    const RowElement& element = elements_.rows[z(e)];
    FusedTask task = on_bodies(FusedTask::Kind::apply, element.kernels->apply.get(), element.bodies);
    task.element = e;
    groups.push_back({on_node(FusedTask::Kind::backward, j), task});
    for (const int b : element.bodies) touched[z(b)] = 1;
  }
  for (int b = 1; b < static_cast<int>(bodies_.size()); ++b)
    if (touched[z(b)] == 0) groups.push_back({on_bodies(FusedTask::Kind::finish, nullptr, {b})});
  return groups;
}

const FusedEvaluation* LargeEvaluation::make_fused(std::unique_ptr<FusedEvaluation>& to, bool correcting) const {
  const auto has_too_many = [](const Gathered& list) { return list.bodies.size() > FusedTask::most_bodies; };
  if (std::any_of(gathered_.begin(), gathered_.end(), has_too_many)) return nullptr;
  std::vector<FusedEvaluation::Plan> plans;
  plans.push_back({forward_tasks(correcting ? Solve::positions : Solve::accelerations), back_tasks()});
  if (correcting) plans.push_back({rate_tasks(), back_tasks()});
  auto made = std::make_unique<FusedEvaluation>(FusedScene{bodies_, elements_, plan_}, plans, !correcting);
  if (made->pays()) to = std::move(made);
  return to.get();
}

const FusedEvaluation* LargeEvaluation::fused() const {
  std::call_once(fused_once_, [this] { make_fused(fused_, false); });
  return fused_.get();
}

const FusedEvaluation* LargeEvaluation::correcting_kernels() const {
  std::call_once(correcting_once_, [this] { make_fused(correcting_, true); });
  return correcting_.get();
}

}  // namespace raak

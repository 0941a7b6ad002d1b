// The passes of an evaluation: to the factors and back for accelerations; for positions, and then for velocities with
// the same factors.
#include <algorithm>

#include "base/linear/index.h"
#include "mechanism/large/evaluation.h"

namespace raak {
namespace {

PassTask on_bodies(PassTask::Kind kind, const Kernel* kernel, const std::vector<int>& bodies) {
  PassTask task;
  task.kind = kind;
  task.kernel = kernel;
  for (std::size_t k = 0; k < bodies.size(); ++k) task.bodies[k] = bodies[k];
  return task;
}

PassTask on_node(PassTask::Kind kind, int node) {
  PassTask task;
  task.kind = kind;
  task.node = node;
  return task;
}

}  // namespace

std::vector<PassTasks> LargeEvaluation::rate_tasks() const {
  std::vector<char> bodies_done(bodies_.size(), 0);
  std::vector<char> elements_done(elements_.rows.size(), 0);
  std::vector<PassTasks> groups;
  const auto need_body = [&](int b) {
    if (bodies_done[z(b)]++ != 0) return;
    const BodyPlace& body = bodies_[z(b)];
    PassTask task =
        on_bodies(PassTask::Kind::body, body.kernels->free[static_cast<std::size_t>(Solve::velocities)], {b});
    task.parameters = body.parameters;
    groups.back().push_back(task);
  };
  const auto need_element = [&](int e) {
    if (elements_done[z(e)]++ != 0) return;
    const RowElement& element = elements_.rows[z(e)];
    for (const int b : element.bodies) need_body(b);
    PassTask task = on_bodies(PassTask::Kind::rates, element.kernels->rates.get(), element.bodies);
    task.element = e;
    task.parameters = element.parameters;
    groups.back().push_back(task);
  };
  for (int j = 0; j < plan_.nodes(); ++j) {
    groups.emplace_back();
    need_element(plan_.block_of[z(j)]);
    for (int p = plan_.first[z(j)]; p < plan_.first[z(j) + 1]; ++p) need_element(plan_.block_of[z(plan_.target[z(p)])]);
    groups.back().push_back(on_node(PassTask::Kind::forward, j));
  }
  for (int b = 1; b < static_cast<int>(bodies_.size()); ++b) {
    if (bodies_done[z(b)] != 0) continue;
    groups.emplace_back();
    need_body(b);
  }
  return groups;
}

std::vector<PassTasks> LargeEvaluation::back_tasks() const {
  std::vector<char> touched(bodies_.size(), 0);
  std::vector<PassTasks> groups;
  for (int j = plan_.nodes() - 1; j >= 0; --j) {
    const int e = plan_.block_of[z(j)];
    const RowElement& element = elements_.rows[z(e)];
    PassTask task = on_bodies(PassTask::Kind::apply, element.kernels->apply.get(), element.bodies);
    task.element = e;
    groups.push_back({on_node(PassTask::Kind::backward, j), task});
    for (const int b : element.bodies) touched[z(b)] = 1;
  }
  for (int b = 1; b < static_cast<int>(bodies_.size()); ++b)
    if (touched[z(b)] == 0) groups.push_back({on_bodies(PassTask::Kind::finish, nullptr, {b})});
  return groups;
}

const LargePasses* LargeEvaluation::make_passes(std::unique_ptr<LargePasses>& to, bool correcting) const {
  const auto has_too_many = [](const Gathered& list) { return list.bodies.size() > PassTask::most_bodies; };
  if (std::any_of(gathered_.begin(), gathered_.end(), has_too_many)) return nullptr;
  std::vector<LargePasses::Plan> plans;
  plans.push_back({forward_tasks(correcting ? Solve::positions : Solve::accelerations), back_tasks()});
  if (correcting) plans.push_back({rate_tasks(), back_tasks()});
  auto made = std::make_unique<LargePasses>(PassScene{bodies_, elements_, plan_}, plans, !correcting);
  if (made->pays()) to = std::move(made);
  return to.get();
}

const LargePasses* LargeEvaluation::passes() const {
  std::call_once(passes_once_, [this] { make_passes(passes_, false); });
  return passes_.get();
}

const LargePasses* LargeEvaluation::correcting_passes() const {
  std::call_once(correcting_once_, [this] { make_passes(correcting_, true); });
  return correcting_.get();
}

}  // namespace raak

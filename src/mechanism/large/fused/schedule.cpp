// The sequence of steps of an evaluation: bodies, elements and blocks are computed just before their first use.
#include <algorithm>

#include "base/linear/index.h"
#include "mechanism/large/evaluation.h"

namespace raak {
namespace {}  // namespace

class LargeEvaluation::Scheduler {
 public:
  explicit Scheduler(const LargeEvaluation& to)
      : to_(to), bodies_(to.bodies_.size(), none), forces_on_(to.bodies_.size()) {
    elements_done_.resize(to.elements_.rows.size(), 0);
    forces_done_.resize(to.elements_.forces.size(), 0);
    blocks_done_.resize(to.plan_.target.size(), 0);
    for (std::size_t f = 0; f < to.elements_.forces.size(); ++f)
      for (const int b : to.elements_.forces[f].bodies) forces_on_[z(b)].push_back(static_cast<int>(f));
  }

  std::vector<Step> steps, back;
  std::vector<Gathered> gathered;
  // The same steps as tasks, those that there are nothing to do for left out; and where those of a node end.
  FusedTasks tasks;
  std::vector<std::size_t> ends;
  Solve what = Solve::accelerations;

  void run() {
    const BlockPlan& plan = to_.plan_;
    for (int j = 0; j < plan.nodes(); ++j) {
      need_element(plan.block_of[z(j)]);
      const int begin = plan.first[z(j)];
      const int end = plan.first[z(j) + 1];
      for (int p = begin; p < end; ++p) {
        need_element(plan.block_of[z(plan.target[z(p)])]);
        need_block(p, j);
        for (int q = begin; q < p; ++q) {
          const int column = plan.target[z(q)];
          need_block(plan.find(plan.target[z(p)], column), column);
        }
      }
      Step step = empty_step(Kind::eliminate);
      step.index = plan.stream_at[z(j)];
      FusedTask task;
      task.kind = FusedTask::Kind::eliminate;
      task.node = j;
      push(step, task);
      ends.push_back(tasks.size());
    }
    for (int b = 1; b < static_cast<int>(bodies_.size()); ++b) {
      need_body(b);
      ends.push_back(tasks.size());
    }
    for (int j = 0; j < plan.nodes(); ++j) go_back(plan.block_of[z(j)]);
  }

 private:
  enum : char { none, loaded, ready };

  static Step empty_step(Kind kind) { return {kind, 0, nullptr, {0, 0, 0, 0}, {0, 0}, 0, 0}; }
  const BodyPlace& body(int b) const { return to_.bodies_[z(b)]; }
  void push(const Step& step, const FusedTask& task) {
    steps.push_back(step);
    tasks.push_back(task);
    if (step.kernels == nullptr) return;
    tasks.back().kernel = (*step.kernels)[static_cast<std::size_t>(what)];
    if (tasks.back().kernel == nullptr) tasks.pop_back();
  }
  static FusedTask task_of(FusedTask::Kind kind, const std::vector<int>& bodies, int parameters = 0) {
    FusedTask task;
    task.kind = kind;
    for (std::size_t k = 0; k < bodies.size() && k < FusedTask::most_bodies; ++k) task.bodies[k] = bodies[k];
    task.parameters = parameters;
    return task;
  }
  int unknowns(int b) const { return body(b).record + body(b).kernels->layout.x; }

  void push_body(int b, const KernelsBySolve& kernels) {
    Step step = empty_step(Kind::body);
    step.index = body(b).first;
    step.kernels = &kernels;
    step.in[1] = body(b).parameters;
    step.out[0] = body(b).record;
    push(step, task_of(FusedTask::Kind::body, {b}, body(b).parameters));
  }
  // A call that reads bodies; it is gathered where there are more than two.
  Step call(Kind kind, const KernelsBySolve& kernels, const std::vector<int>& bodies, bool changes_unknowns) {
    Step step = empty_step(kind);
    step.kernels = &kernels;
    if (bodies.size() > 2) {
      step.kind = Kind::gather;
      step.index = static_cast<int>(gathered.size());
      gathered.push_back({bodies, kind == Kind::pair, changes_unknowns});
      return step;
    }
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      step.in[2 + k] = body(bodies[k]).record;
      if (changes_unknowns) step.out[k] = unknowns(bodies[k]);
    }
    return step;
  }

  void need_body(int b) {
    if (bodies_[z(b)] == ready) return;
    const BodyKernels& kernels = *body(b).kernels;
    if (forces_on_[z(b)].empty()) push_body(b, kernels.free);
    for (const int f : forces_on_[z(b)]) {
      if (forces_done_[z(f)] != 0) continue;
      forces_done_[z(f)] = 1;
      const ForceElement& force = to_.elements_.forces[z(f)];
      for (const int other : force.bodies) {
        if (bodies_[z(other)] != none) continue;
        push_body(other, body(other).kernels->loaded);
        bodies_[z(other)] = loaded;
      }
      Step step = call(Kind::call, force.kernels->solve(), force.bodies, true);
      step.in[1] = force.parameters;
      push(step, task_of(FusedTask::Kind::force, force.bodies, force.parameters));
    }
    if (!forces_on_[z(b)].empty()) {
      Step step = empty_step(Kind::divide);
      step.index = kernels.layout.size;
      step.kernels = &kernels.after_forces;
      step.in[0] = body(b).record;
      step.out[0] = unknowns(b);
      push(step, task_of(FusedTask::Kind::divide, {b}));
    }
    bodies_[z(b)] = ready;
  }
  void need_element(int e) {
    if (elements_done_[z(e)] != 0) return;
    elements_done_[z(e)] = 1;
    const RowElement& element = to_.elements_.rows[z(e)];
    for (const int b : element.bodies) need_body(b);
    Step step = call(Kind::call, element.kernels->solve(), element.bodies, false);
    step.in[1] = element.parameters;
    step.out[0] = to_.record_of_[z(e)];
    step.right = step.out[0] + element.kernels->right_side();
    step.rows = element.kernels->rows();
    FusedTask task = task_of(FusedTask::Kind::element, element.bodies, element.parameters);
    task.element = e;
    task.counts_residual = what != Solve::accelerations;
    push(step, task);
  }
  // The block number i, in the column of a node.
  void need_block(int i, int column) {
    if (blocks_done_[z(i)] != 0) return;
    blocks_done_[z(i)] = 1;
    const int row_element = to_.plan_.block_of[z(to_.plan_.target[z(i)])];
    const int column_element = to_.plan_.block_of[z(column)];
    need_element(row_element);
    need_element(column_element);
    const RowElement& row = to_.elements_.rows[z(row_element)];
    const RowElement& beside = to_.elements_.rows[z(column_element)];
    std::vector<SharedBody> shared;
    std::vector<int> bodies;
    for (std::size_t a = 0; a < row.bodies.size(); ++a)
      for (std::size_t b = 0; b < beside.bodies.size(); ++b)
        if (row.bodies[a] == beside.bodies[b]) {
          shared.push_back({static_cast<int>(a), static_cast<int>(b)});
          bodies.push_back(row.bodies[a]);
        }
    Step step = empty_step(Kind::clear);
    step.index = row.kernels->rows() * beside.kernels->rows();
    if (!shared.empty()) {
      step = call(Kind::pair, *to_.elements_.library->pair(row.kernels, beside.kernels, shared), bodies, false);
      step.in[0] = to_.record_of_[z(row_element)];
      step.in[1] = to_.record_of_[z(column_element)];
    }
    step.out[0] = to_.blocks_at_ + to_.plan_.block[z(i)];
    FusedTask task = task_of(shared.empty() ? FusedTask::Kind::clear : FusedTask::Kind::pair, bodies);
    task.element = row_element;
    task.beside = column_element;
    task.block = i;
    push(step, task);
  }
  void go_back(int e) {
    const RowElement& element = to_.elements_.rows[z(e)];
    Step step = call(Kind::call, element.kernels->back(), element.bodies, true);
    step.in[0] = to_.record_of_[z(e)];
    back.push_back(step);
  }

  const LargeEvaluation& to_;
  std::vector<char> bodies_, elements_done_, forces_done_, blocks_done_;
  std::vector<std::vector<int>> forces_on_;
};

double LargeEvaluation::acceleration_cost() const {
  constexpr double cycles_per_call = 10.0;
  constexpr double multiplications_a_cycle = 2.0;
  double cycles = 0.0;
  for (const std::vector<Step>* steps : {&steps_, &back_})
    for (const Step& step : *steps) {
      const Kernel* const kernel = step.kernels != nullptr ? (*step.kernels)[0] : nullptr;
      if (kernel != nullptr) cycles += cycles_per_call + kernel->program().cost();
    }
  for (int j = 0; j < plan_.nodes(); ++j) {
    const double rows = plan_.rows[z(j)];
    double below = 0.0;
    for (int p = plan_.first[z(j)]; p < plan_.first[z(j) + 1]; ++p) below += plan_.rows[z(plan_.target[z(p)])];
    cycles += (rows * rows * rows / 6.0 + rows * below * (rows + 0.5 * below)) / multiplications_a_cycle;
  }
  return cycles;
}

LargeEvaluation::LargeEvaluation(std::shared_ptr<const Instance> instance, Elements elements)
    : instance_(std::move(instance)), elements_(std::move(elements)) {
  ElementLibrary& library = *elements_.library;
  int record = 1;  // behind the time
  for (const Body& body : instance_->bodies()) {
    BodyPlace place;
    if (!body.ground) {
      place.kernels = library.bodies(*body.kind);
      place.record = record;
      place.first = body.first;
      place.parameters = library.keep(body_parameters(*instance_, body));
      record += place.kernels->layout.total;
    }
    bodies_.push_back(place);
  }
  for (const RowElement& element : elements_.rows)
    for (const int row : element.kernels->moving_rows()) moving_rows_.push_back(element.rows[z(row)]);
  std::sort(moving_rows_.begin(), moving_rows_.end());
  elements_at_ = record;
  const std::size_t n = elements_.rows.size();
  std::vector<std::vector<int>> rows_on(bodies_.size());
  std::vector<int> sizes;
  std::vector<char> early;
  int most_gathered = 16;
  const auto gathered = [&](const ElementPlace& element) {
    int total = 0;
    for (const int b : element.bodies) total += bodies_[z(b)].kernels->layout.total;
    most_gathered = std::max(most_gathered, total);
  };
  int next = elements_at_;
  for (std::size_t e = 0; e < n; ++e) {
    const RowElement& element = elements_.rows[e];
    record_of_.push_back(next);
    next += element.kernels->size();
    sizes.push_back(element.kernels->rows());
    early.push_back(element.unit_length ? 1 : 0);
    for (const int b : element.bodies) rows_on[z(b)].push_back(static_cast<int>(e));
    gathered(element);
  }
  for (const ForceElement& force : elements_.forces) gathered(force);
  std::vector<std::vector<int>> neighbours(n);
  for (std::size_t e = 0; e < n; ++e) {
    std::vector<int>& near = neighbours[e];
    for (const int b : elements_.rows[e].bodies)
      for (const int other : rows_on[z(b)])
        if (other != static_cast<int>(e)) near.push_back(other);
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
  }
  plan_ = plan_elimination(sizes, std::move(neighbours), early);
  for (int j = 0; j < plan_.nodes(); ++j) {
    const auto e = z(plan_.block_of[z(j)]);
    plan_.front.push_back(record_of_[e] + elements_.rows[e].kernels->stored());
  }
  write_stream(plan_);
  blocks_at_ = next;
  gathered_at_ = blocks_at_ + plan_.blocks_size;
  gathered_size_ = 2 * most_gathered;
  Scheduler scheduler(*this);
  scheduler.run();
  steps_ = std::move(scheduler.steps);
  back_ = std::move(scheduler.back);
  gathered_ = std::move(scheduler.gathered);
}

std::vector<FusedTasks> LargeEvaluation::forward_tasks(Solve what) const {
  Scheduler scheduler(*this);
  scheduler.what = what;
  scheduler.run();
  std::vector<FusedTasks> groups;
  auto begin = scheduler.tasks.begin();
  for (const std::size_t end : scheduler.ends) {
    const auto until = scheduler.tasks.begin() + static_cast<std::ptrdiff_t>(end);
    if (until != begin) groups.emplace_back(begin, until);
    begin = until;
  }
  return groups;
}

}  // namespace raak

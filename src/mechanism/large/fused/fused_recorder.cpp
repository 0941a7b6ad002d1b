#include "mechanism/large/fused/fused_recorder.h"

#include <algorithm>

#include "base/linear/block_kernels.h"
#include "base/linear/index.h"
#include "base/tape/replay.h"
#include "mechanism/large/fused/fused_inputs.h"
#include "mechanism/large/fused/fused_results.h"

namespace raak {
namespace {

using TaskKind = FusedTask::Kind;
using Space = FusedKernel::Space;

// Shares of pivots become outputs.
struct NotingPivot {
  static constexpr bool keeps_all_rows = true;
  Reals& shares;
  Real inverse(int, const Real& pivot, const Real&) const { return Real(1.0) / pivot; }
  void note(const Real& share) const { shares.push_back(share); }
};

class Recorder {
 public:
  Recorder(const FusedObjects& objects, const Surroundings& around, FusedLayouts& layouts)
      : objects_(objects), around_(around), layouts_(layouts), inputs_(around.bodies) {
    for (const Surroundings::Object& object : around.objects) {
      values_.emplace_back(z(objects.size(object.object)));
      changed_.push_back(0);
    }
  }

  FusedRecipe record(const FusedTasks& tasks) {
    Tape tape;
    const Tape::Recording recording(tape);
    tape_ = &tape;
    inputs_.record_on(tape);
    for (const FusedTask& task : tasks) {
      if (task.node >= 0) run_node(task);
      else if (task.kind == TaskKind::clear) clear(task.block);
      else if (task.kind == TaskKind::finish) changed_[z(around_.number_of(objects_.unknowns(task.bodies[0])))] = 1;
      else run_kernel(task);
      ++task_;
    }
    for (const Real& share : shares_) tape.add_output(0, share);
    recipe_.kernel.pivots = static_cast<int>(shares_.size());
    if (!squares_.is_zero()) {
      tape.add_output(0, squares_);
      recipe_.kernel.squares = 1;
    }
    recipe_.size = recipe_.kernel.pivots + recipe_.kernel.squares;
    for (std::size_t k = 0; k < values_.size(); ++k)
      if (changed_[k] != 0) leave(k);
    finish_inputs();
    if (recipe_.fits) recipe_.kernel.kernel = std::make_unique<Kernel>(tape);
    return std::move(recipe_);
  }

 private:
  Real read(const FusedObjects::Number& at) {
    const int k = around_.number_of(at.object);
    std::optional<Real>& value = values_[z(k)][z(at.number)];
    if (value) return *value;
    const Surroundings::Object& object = around_.objects[z(k)];
    const FusedPlace place = (*object.layout)[z(at.number)];
    const int body = objects_.is_of_body(at.object) ? around_.number_of_body(objects_.body_of(at.object)) : -1;
    if (place.kind == FusedPlace::Kind::coordinate) value = inputs_.coordinate(Space::coordinates, body, place.index);
    else if (place.kind == FusedPlace::Kind::rate) value = inputs_.coordinate(Space::rates, body, place.index);
    else if (place.kind == FusedPlace::Kind::parameter) value = inputs_.parameter(body, place.index);
    else value = inputs_.get({Space::memory, object.piece, object.offset + place.index});
    return *value;
  }
  void write(const FusedObjects::Number& at, const Real& value) {
    const int k = around_.number_of(at.object);
    values_[z(k)][z(at.number)] = value;
    changed_[z(k)] = 1;
  }

  // The meaning of the blocks of a kernel: see LargeEvaluation::run_step.
  Real input_of(const FusedTask& task, int block, int number) {
    const int b = task.bodies[0] < 0 ? -1 : around_.number_of_body(task.bodies[0]);
    if (task.kind == TaskKind::body) {
      if (block == 2) return inputs_.parameter(b, number);
      return inputs_.coordinate(block == 0 ? Space::coordinates : Space::rates, b, number);
    }
    if (task.kind == TaskKind::divide) return read(objects_.in_body(task.bodies[0], number));
    if (block >= 2) return read(in_bodies(task, block - 2, number));
    if (task.kind == TaskKind::pair) return read(objects_.in_element(block == 0 ? task.element : task.beside, number));
    if (task.kind == TaskKind::apply) return read(objects_.in_element(task.element, number));
    return block == 0 ? inputs_.get({Space::time, 0, number}) : inputs_.parameter(-1 - task_, number);
  }
  // More than two bodies are gathered: their records count as one, and so do their unknowns.
  FusedObjects::Number in_bodies(const FusedTask& task, int block, int number) const {
    auto k = z(block);
    const auto size = [&] { return objects_.size(objects_.body(task.bodies[k])); };
    for (; number >= size(); ++k) number -= size();
    return objects_.in_body(task.bodies[k], number);
  }
  FusedObjects::Number in_unknowns(const FusedTask& task, int block, int number) const {
    auto k = z(block);
    const auto size = [&] { return objects_.size(objects_.unknowns(task.bodies[k])); };
    for (; number >= size(); ++k) number -= size();
    return {objects_.unknowns(task.bodies[k]), number};
  }
  FusedObjects::Number output_of(const FusedTask& task, int block, int number) const {
    switch (task.kind) {
      case TaskKind::body:
        return objects_.in_body(task.bodies[0], number);
      case TaskKind::element:
        return objects_.in_element(task.element, number);
      case TaskKind::rates:
        return {objects_.right(task.element), number};
      case TaskKind::pair:
        return {objects_.block(task.block), number};
      default:
        return in_unknowns(task, block, number);
    }
  }
  void run_kernel(const FusedTask& task) {
    const Program& program = task.kernel->program();
    const Reals values = replay(program, [&](int block, int number) { return input_of(task, block, number); });
    for (std::size_t k = 0; k < values.size(); ++k) {
      const Tape::Output& output = program.outputs()[k];
      write(output_of(task, output.block, output.number), values[k]);
    }
    if (!task.counts_residual) return;
    for (const auto& right : values_[z(around_.number_of(objects_.right(task.element)))]) squares_ += *right * *right;
  }
  void clear(int block) {
    for (int i = 0; i < objects_.size(objects_.block(block)); ++i) write({objects_.block(block), i}, Real(0.0));
  }

  // Copies of what a node's elimination works on, one behind the other, and a stream that says where.
  void run_node(const FusedTask& task) {
    const BlockPlan& plan = objects_.scene().plan;
    const int j = task.node;
    std::vector<FusedObjects::Number> front_of;
    std::vector<FusedObjects::Number> block_of;
    Reals fronts;
    Reals blocks;
    const auto take_block = [&](int i) {
      const auto at = static_cast<int>(blocks.size());
      for (int k = 0; k < objects_.size(objects_.block(i)); ++k) {
        block_of.push_back({objects_.block(i), k});
        blocks.push_back(read(block_of.back()));
      }
      return at;
    };
    const auto take_front = [&](int node) {
      const auto at = static_cast<int>(fronts.size());
      const int e = objects_.element_of_node(node);
      const int r = plan.rows[z(node)];
      const bool needs_factor = task.kind == TaskKind::eliminate || node == j;
      for (const int object : {objects_.factor(e), objects_.right(e)})
        for (int k = 0; k < objects_.size(object); ++k) {
          const bool is_right = object == objects_.right(e);
          const bool is_diagonal = !is_right && k >= r * (r + 1) / 2;
          const bool needed = is_right || (needs_factor && (!is_diagonal || task.kind == TaskKind::eliminate));
          front_of.push_back({object, k});
          fronts.push_back(needed ? read(front_of.back()) : Real(0.0));
        }
      return at;
    };
    const int begin = plan.first[z(j)];
    const int end = plan.first[z(j) + 1];
    std::vector<int> stream{plan.rows[z(j)], plan.stream[z(plan.stream_at[z(j)]) + 1], take_front(j), end - begin};
    for (int p = begin; p < end; ++p) {
      const int target = plan.target[z(p)];
      const int block = take_block(p);
      stream.insert(stream.end(), {block, plan.rows[z(target)], take_front(target)});
    }
    if (task.kind == TaskKind::eliminate)
      for (const int i : objects_.changed_blocks(j)) stream.push_back(take_block(i));
    const Reals fronts_before = fronts;
    const Reals blocks_before = blocks;
    blocks.emplace_back();  // one that nothing reads, where there are none
    compute(task.kind, stream.data(), fronts.data(), blocks.data());
    for (std::size_t k = 0; k < front_of.size(); ++k)
      if (fronts[k].key() != fronts_before[k].key()) write(front_of[k], fronts[k]);
    for (std::size_t k = 0; k < block_of.size(); ++k)
      if (blocks[k].key() != blocks_before[k].key()) write(block_of[k], blocks[k]);
    if (task.kind == TaskKind::eliminate) eliminated_.push_back(objects_.factor(objects_.element_of_node(j)));
    if (task.kind == TaskKind::backward)
      changed_[z(around_.number_of(objects_.right(objects_.element_of_node(j))))] = 1;
  }
  void compute(TaskKind kind, const int* stream, Real* fronts, Real* values) {
    if (kind == TaskKind::forward) return blocks::forward<Real>(stream, fronts, values);
    blocks::with_size(stream, [&](auto r, auto s) {
      if (kind == TaskKind::backward) blocks::backward_sized<r(), s(), Real>(stream, fronts, values);
      else blocks::eliminate_sized<r(), s()>(stream, fronts, values, NotingPivot{shares_});
    });
  }

  // What stays of an object that has changed.
  void leave(std::size_t k) {
    const Surroundings::Object& object = around_.objects[k];
    const int size = objects_.size(object.object);
    if (object.is_final) return leave_results(object.object, size);
    const bool eliminated = std::find(eliminated_.begin(), eliminated_.end(), object.object) != eliminated_.end();
    const int r = eliminated ? objects_.element_of(object.object).rows() : 0;
    FusedLayout layout(z(size));
    for (int i = 0; i < size; ++i) {
      if (eliminated && i >= r * (r + 1) / 2) continue;  // the diagonal has served
      const bool is_body = objects_.kind(object.object) == FusedObjects::Kind::body;
      if (is_body && objects_.in_body(objects_.body_of(object.object), i).object != object.object) continue;
      const Real value = read({object.object, i});
      layout[z(i)] = place_of(object.object, value);
      if (layout[z(i)].kind != FusedPlace::Kind::none) continue;
      tape_->add_output(0, value);
      layout[z(i)] = {FusedPlace::Kind::memory, recipe_.size++};
    }
    recipe_.made.push_back({static_cast<int>(k), &*layouts_.insert(std::move(layout)).first});
  }
  // Of numbers that a body has without computing them.
  FusedPlace place_of(int object, const Real& value) const {
    if (!objects_.is_of_body(object)) return {};
    const int b = around_.number_of_body(objects_.body_of(object));
    const Surroundings::Body& body = around_.bodies[z(b)];
    const int coordinates = objects_.scene().bodies[z(body.body)].kernels->layout.size;
    for (const auto& [from, known] : inputs_.known()) {
      if (known.key() != value.key()) continue;
      if (from.space == Space::parameters) {
        const FusedRecipe::Parameter& p = inputs_.parameters()[z(from.index)];
        if (p.owner == b) return {FusedPlace::Kind::parameter, p.index};
      } else if (from.space == Space::coordinates || from.space == Space::rates) {
        const int index = from.index - body.offset;
        if (from.which != body.cluster || index < 0 || index >= coordinates) continue;
        return {from.space == Space::rates ? FusedPlace::Kind::rate : FusedPlace::Kind::coordinate, index};
      }
    }
    return {};
  }
  void leave_results(int object, int size) {
    const Surroundings::Body& body = around_.bodies[z(around_.number_of_body(objects_.body_of(object)))];
    for (int i = 0; i < size; ++i) results_.add(body.cluster, body.offset + i, read({object, i}));
  }

  void finish_inputs() {
    for (const auto& [space, which] : inputs_.sort_into_blocks()) {
      recipe_.kernel.inputs.push_back(space);
      recipe_.which.push_back(which);
    }
    recipe_.parameters = inputs_.parameters();
    results_.write_to(*tape_, recipe_);
    recipe_.fits =
        recipe_.kernel.inputs.size() <= FusedKernel::most_inputs && recipe_.results.size() <= FusedKernel::most_results;
  }
  const FusedObjects& objects_;
  const Surroundings& around_;
  FusedLayouts& layouts_;
  Tape* tape_ = nullptr;
  int task_ = 0;
  std::vector<std::vector<std::optional<Real>>> values_;  // of each object
  std::vector<char> changed_;
  FusedInputs inputs_;
  Reals shares_;
  Real squares_{0.0};
  std::vector<int> eliminated_;
  FusedResults results_;
  FusedRecipe recipe_;
};

}  // namespace

int Surroundings::number_of(int object) const {
  std::size_t k = 0;
  while (objects[k].object != object) ++k;
  return static_cast<int>(k);
}

int Surroundings::number_of_body(int body) const {
  std::size_t k = 0;
  while (bodies[k].body != body) ++k;
  return static_cast<int>(k);
}

FusedRecipe record_group(const FusedObjects& objects, const FusedTasks& tasks, const Surroundings& around,
                         FusedLayouts& layouts) {
  return Recorder(objects, around, layouts).record(tasks);
}

}  // namespace raak

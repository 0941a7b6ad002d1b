#include "mechanism/large/fused/fused_builder.h"

#include <algorithm>

#include "base/linear/index.h"

namespace raak {
namespace {

using TaskKind = FusedTask::Kind;

constexpr int near_coordinates = 64;       // bodies whose coordinates are not farther apart share a pointer
constexpr int near_pieces = 1024;          // and so do pieces of memory
constexpr std::size_t most_objects = 120;  // of a group
constexpr std::size_t always_allowed = 32, groups_a_recipe = 8;

}  // namespace

FusedBuilder::FusedBuilder(const FusedScene& scene)
    : objects_(scene), where_(z(objects_.count())), last_group_(scene.bodies.size(), -1) {}

int FusedBuilder::right_side_at(int element, int row) const {
  const Where& where = where_[z(objects_.right(element))];
  return where.piece + (*where.layout)[z(row)].index;
}

// On the way back the last task that applies something to a body finishes it.
void FusedBuilder::count_uses(const std::vector<FusedTasks>& groups) {
  std::fill(last_group_.begin(), last_group_.end(), -1);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const FusedTask& task : groups[g])
      if (task.kind == TaskKind::apply || task.kind == TaskKind::finish)
        for (const int b : task.bodies)
          if (b >= 0) last_group_[z(b)] = static_cast<int>(g);
}

void FusedBuilder::look_around(const FusedTasks& tasks) {
  around_.objects.clear();
  around_.bodies.clear();
  around_.pieces.clear();
  around_.clusters.clear();
  listed_.clear();
  for (const FusedTask& task : tasks) objects_.list(task, listed_);
  for (const int object : listed_) {
    const auto same = [&](const Surroundings::Object& known) { return known.object == object; };
    if (std::any_of(around_.objects.begin(), around_.objects.end(), same)) continue;
    const Where& where = where_[z(object)];
    const bool is_unknowns = objects_.kind(object) == FusedObjects::Kind::unknowns;
    const bool is_final = is_unknowns && last_group_[z(objects_.body_of(object))] == group_;
    around_.objects.push_back({object, where.layout, -1, 0, is_final});
    if (objects_.kind(object) == FusedObjects::Kind::body) around_.bodies.push_back({object, -1, 0});
  }
  place_objects();
  place_bodies();
}

void FusedBuilder::place_objects() {
  std::vector<std::pair<int, Surroundings::Object*>> sorted;
  for (Surroundings::Object& object : around_.objects)
    if (object.layout != nullptr) sorted.emplace_back(where_[z(object.object)].piece, &object);
  std::sort(sorted.begin(), sorted.end());
  for (const auto& [piece, object] : sorted) {
    if (around_.pieces.empty() || piece - around_.pieces.back() > near_pieces) around_.pieces.push_back(piece);
    object->piece = static_cast<int>(around_.pieces.size()) - 1;
    object->offset = piece - around_.pieces.back();
  }
}

void FusedBuilder::place_bodies() {
  std::vector<std::pair<int, Surroundings::Body*>> sorted;
  for (Surroundings::Body& body : around_.bodies)
    sorted.emplace_back(objects_.scene().bodies[z(body.body)].first, &body);
  std::sort(sorted.begin(), sorted.end());
  for (const auto& [first, body] : sorted) {
    if (around_.clusters.empty() || first - around_.clusters.back() > near_coordinates)
      around_.clusters.push_back(first);
    body->cluster = static_cast<int>(around_.clusters.size()) - 1;
    body->offset = first - around_.clusters.back();
  }
}

// Everything that the recorded formula depends on.
void FusedBuilder::write_signature(const FusedTasks& tasks) {
  signature_.clear();
  const auto add = [&](auto number) { signature_.push_back(static_cast<std::intptr_t>(number)); };
  const auto add_pointer = [&](const void* pointer) { signature_.push_back(reinterpret_cast<std::intptr_t>(pointer)); };
  for (const FusedTask& task : tasks) {
    add(task.kind);
    add_pointer(task.kernel);
    listed_.clear();
    objects_.list(task, listed_);
    add(listed_.size());
    for (const int object : listed_) add(around_.number_of(object));
    if (task.node >= 0) add(objects_.scene().plan.rows[z(task.node)]);
  }
  for (const Surroundings::Object& object : around_.objects) {
    add(objects_.kind(object.object));
    add(objects_.size(object.object));
    add_pointer(object.layout);
    add(object.piece);
    add(object.offset);
    add(object.is_final);
  }
  for (const Surroundings::Body& body : around_.bodies) {
    add_pointer(objects_.scene().bodies[z(body.body)].kernels);
    add(body.cluster);
    add(body.offset);
  }
}

const FusedRecipe& FusedBuilder::recipe_of(const FusedTasks& tasks) {
  write_signature(tasks);
  std::uint64_t hash = 1469598103934665603ULL;
  for (const std::intptr_t part : signature_) hash = (hash ^ static_cast<std::uint64_t>(part)) * 1099511628211ULL;
  const auto [begin, end] = recipes_.equal_range(hash);
  for (auto i = begin; i != end; ++i)
    if (i->second.first == signature_) return *i->second.second;
  auto recorded = std::make_unique<FusedRecipe>(record_group(objects_, tasks, around_, layouts_));
  return *recipes_.emplace(hash, std::pair(signature_, std::move(recorded)))->second.second;
}

void FusedBuilder::call(const FusedRecipe& recipe, const FusedTasks& tasks, FusedCalls& pass) {
  const FusedScene& scene = objects_.scene();
  parameters_.clear();
  const ElementLibrary& library = *scene.elements.library;
  for (const FusedRecipe::Parameter& p : recipe.parameters) {
    const int from =
        p.owner < 0 ? tasks[z(-1 - p.owner)].parameters : scene.bodies[z(around_.bodies[z(p.owner)].body)].parameters;
    parameters_.push_back(library.number(from + p.index));
  }
  pass.calls.push_back({&recipe.kernel, static_cast<int>(pass.operands.size())});
  for (std::size_t k = 0; k < recipe.which.size(); ++k) {
    using Space = FusedKernel::Space;
    const Space space = recipe.kernel.inputs[k];
    const int which = recipe.which[k];
    pass.operands.push_back(space == Space::time         ? 0
                            : space == Space::parameters ? numbers_->keep(parameters_)
                            : space == Space::memory     ? around_.pieces[z(which)]
                                                         : around_.clusters[z(which)]);
  }
  pass.operands.push_back(memory_);
  for (std::size_t k = 0; k < recipe.results.size(); ++k)
    pass.operands.push_back(around_.clusters[z(recipe.results[k])] + recipe.result_offsets[k]);
  for (const FusedRecipe::Made& made : recipe.made)
    where_[z(around_.objects[z(made.object)].object)] = {made.layout, memory_};
  memory_ += recipe.size;
}

bool FusedBuilder::add(const std::vector<FusedTasks>& groups, FusedCalls& pass) {
  count_uses(groups);
  const std::size_t before = recipes_.size();
  for (group_ = 0; group_ < static_cast<int>(groups.size()); ++group_) {
    const FusedTasks& tasks = groups[z(group_)];
    look_around(tasks);
    if (around_.objects.size() > most_objects) return false;
    const FusedRecipe& recipe = recipe_of(tasks);
    if (!recipe.fits || recipes_.size() - before > always_allowed + groups.size() / groups_a_recipe) return false;
    call(recipe, tasks, pass);
  }
  return true;
}

}  // namespace raak

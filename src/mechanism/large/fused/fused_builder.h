// Finds groups of tasks with the same surroundings, has each kind recorded once, and lists the calls of a pass.
#pragma once
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "mechanism/large/fused/fused_recorder.h"

namespace raak {

// Passes that are run one after the other, each with what the ones before it have left in memory.
class FusedBuilder {
 public:
  explicit FusedBuilder(const FusedScene& scene);

  // A pass over groups of tasks; false if it does not pay: too many groups are different, or too large.
  bool add(const std::vector<FusedTasks>& groups, FusedCalls& pass);

  // Numbers of memory in use so far.
  int memory() const { return memory_; }
  // Where a number of the right-hand side of an element is now: its multipliers after the way back.
  int right_side_at(int element, int row) const;
  // What the calls use: to be kept as long as the passes.
  using Recipes =
      std::unordered_multimap<std::uint64_t, std::pair<std::vector<std::intptr_t>, std::unique_ptr<FusedRecipe>>>;
  Recipes take_recipes() { return std::move(recipes_); }
  std::unique_ptr<ElementLibrary> take_numbers() { return std::move(numbers_); }

 private:
  struct Where {
    const FusedLayout* layout = nullptr;
    int piece = 0;
  };

  void count_uses(const std::vector<FusedTasks>& groups);
  void look_around(const FusedTasks& tasks);
  void place_objects();
  void place_bodies();
  const FusedRecipe& recipe_of(const FusedTasks& tasks);
  void write_signature(const FusedTasks& tasks);
  void call(const FusedRecipe& recipe, const FusedTasks& tasks, FusedCalls& pass);

  FusedObjects objects_;
  std::vector<Where> where_;     // of each object
  std::vector<int> last_group_;  // of each body in this pass: after it its unknowns are final; -1: they are not
  int group_ = 0;
  Surroundings around_;
  std::vector<int> listed_;
  std::vector<std::intptr_t> signature_;
  std::vector<Live> parameters_;
  FusedLayouts layouts_;
  Recipes recipes_;
  std::unique_ptr<ElementLibrary> numbers_ = std::make_unique<ElementLibrary>();
  int memory_ = 1;  // the first one is the time
};

}  // namespace raak

// The passes of a mechanism: accelerations, and corrections of positions and velocities with one elimination.
#pragma once
#include <mutex>

#include "mechanism/large/fused/fused_builder.h"

namespace raak {

class FusedEvaluation {
 public:
  // Groups of tasks: each of the forward passes up to the elimination of a node.
  struct Plan {
    std::vector<FusedTasks> forward, back;
  };

  // The plans of passes that follow each other; with the multipliers of the last one if they are wanted.
  FusedEvaluation(const FusedScene& scene, const std::vector<Plan>& plans, bool multipliers);

  // False: the mechanism has too many different parts for it.
  bool pays() const { return pays_; }
  // Numbers of memory that a run needs, beside results.
  int memory() const { return memory_; }

  // Runs the pair number `which`; `memory` begins with the time.
  template <class Number>
  FusedSums<Number> run(std::size_t which, const Number* q, const Number* v, Number* memory, Number* results) const;
  template <class Number>
  void read_multipliers(const Number* memory, Number* lambda) const {
    for (const auto& [row, at] : multipliers_) lambda[row] = memory[at];
  }

 private:
  bool build(const FusedScene& scene, const std::vector<Plan>& plans, bool multipliers, std::size_t nodes);
  void emit(Width width) const;

  std::vector<FusedPair> pairs_;
  FusedBuilder::Recipes recipes_;
  std::unique_ptr<ElementLibrary> numbers_;
  std::vector<std::pair<int, int>> multipliers_;  // row, place
  int memory_ = 0;
  bool pays_;
  mutable std::once_flag emitted_for_one_, emitted_for_lanes_;
};

}  // namespace raak

// What a group of tasks reads that it has not made itself (fused_recorder.h): each number once, sorted in the end into
// the arrays that a call of its kernel is given.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "mechanism/large/fused/fused_recorder.h"

namespace raak {

class FusedInputs {
 public:
  using Space = FusedKernel::Space;
  struct Input {
    Space space;
    int which, index;  // the piece or the cluster, as in the recipe; the number there
    // NOLINTNEXTLINE(modernize-use-nullptr): the linter takes the comparison for a pointer
    auto operator<=>(const Input&) const = default;
  };

  explicit FusedInputs(const std::vector<Surroundings::Body>& bodies) : bodies_(bodies) {}
  void record_on(Tape& tape) { tape_ = &tape; }

  Real get(const Input& from);
  Real coordinate(Space space, int body, int index);
  // `owner`: a body, or -1 - task.
  Real parameter(int owner, int index);

  const std::map<Input, Real>& known() const { return known_; }
  const std::vector<FusedRecipe::Parameter>& parameters() const { return parameters_; }
  // Gives the inputs of the tape their places in these arrays.
  std::vector<std::pair<Space, int>> sort_into_blocks();

 private:
  const std::vector<Surroundings::Body>& bodies_;
  Tape* tape_ = nullptr;
  std::map<Input, Real> known_;
  std::vector<Input> inputs_;  // as they came
  std::vector<FusedRecipe::Parameter> parameters_;
};

}  // namespace raak

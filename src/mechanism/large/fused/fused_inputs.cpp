#include "mechanism/large/fused/fused_inputs.h"

#include <algorithm>

namespace raak {

Real FusedInputs::get(const Input& from) {
  const auto [entry, is_new] = known_.try_emplace(from);
  if (!is_new) return entry->second;
  inputs_.push_back(from);
  entry->second = tape_->new_input(0);
  return entry->second;
}

Real FusedInputs::coordinate(Space space, int body, int index) {
  const Surroundings::Body& place = bodies_[static_cast<std::size_t>(body)];
  return get({space, place.cluster, place.offset + index});
}

Real FusedInputs::parameter(int owner, int index) {
  const auto equal = [&](const FusedRecipe::Parameter& p) { return p.owner == owner && p.index == index; };
  const auto found = std::find_if(parameters_.begin(), parameters_.end(), equal);
  const auto number = static_cast<int>(found - parameters_.begin());
  if (found == parameters_.end()) parameters_.push_back({owner, index});
  return get({Space::parameters, 0, number});
}

std::vector<std::pair<FusedInputs::Space, int>> FusedInputs::sort_into_blocks() {
  std::vector<std::pair<Space, int>> blocks;
  std::vector<int> block_of;
  for (const Input& i : inputs_) {
    const std::pair<Space, int> block{i.space, i.which};
    const auto found = std::find(blocks.begin(), blocks.end(), block);
    block_of.push_back(static_cast<int>(found - blocks.begin()));
    if (found == blocks.end()) blocks.push_back(block);
  }
  tape_->move_inputs([&](int& block, int& number) {
    const auto k = static_cast<std::size_t>(number);
    block = block_of[k];
    number = inputs_[k].index;
  });
  return blocks;
}

}  // namespace raak

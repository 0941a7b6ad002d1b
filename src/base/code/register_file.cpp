#include "base/code/register_file.h"

#include <algorithm>

#include "base/linear/index.h"

namespace raak {
namespace {}  // namespace

RegisterFile::RegisterFile(const Program& program, const std::vector<int>& order)
    : code_(program.instructions()),
      users_(code_, order),
      next_use_(code_.size()),
      register_of_(code_.size(), -1),
      spill_of_(code_.size(), -1) {
  for (std::size_t i = 0; i < code_.size(); ++i) next_use_[i] = users_.begin(static_cast<int>(i));
  holds_.fill(-1);
}

bool RegisterFile::in_memory(int id) const {
  return !computes(code_[z(id)]) || spill_of_[z(id)] >= 0;
}

int RegisterFile::next_use(int id) const {
  const int* next = next_use_[z(id)];
  return next != users_.end(id) ? *next : never;
}
int RegisterFile::later_use(int id) const {
  const int* next = next_use_[z(id)];
  const int* const end = users_.end(id);
  if (next != end && *next <= position_) ++next;
  return next != end ? *next : never;
}

void RegisterFile::begin(int position) {
  position_ = position;
  pinned_ = 0;
}

void RegisterFile::end(int id) {
  for_each_distinct_operand(code_[z(id)], [&](int operand) {
    ++next_use_[z(operand)];
    if (next_use_[z(operand)] != users_.end(operand)) return;
    forget(operand);
    if (spill_of_[z(operand)] >= 0) free_spills_.push_back(spill_of_[z(operand)]);
  });
}

int RegisterFile::take() {
  int best = -1;
  int farthest = -1;
  for (int r = 0; r < registers; ++r) {
    if (pinned_ & (1U << r)) continue;
    const int id = holds_[z(r)];
    if (id < 0) return r;
    const int score = std::min(next_use(id), never - 1) * 2 + (in_memory(id) ? 1 : 0);
    if (score > farthest) {
      farthest = score;
      best = r;
    }
  }
  spill(best, next_use(holds_[z(best)]));
  return best;
}

void RegisterFile::spill(int r, int needed) {
  const int id = holds_[z(r)];
  if (needed != never && !in_memory(id)) {
    if (free_spills_.empty()) {
      spill_of_[z(id)] = spills_++;
    } else {
      spill_of_[z(id)] = free_spills_.back();
      free_spills_.pop_back();
    }
    save(id, r);
  }
  forget(id);
}

void RegisterFile::clear() {
  pinned_ = 0;
  for (int r = 0; r < registers; ++r)
    if (holds_[z(r)] >= 0) spill(r, later_use(holds_[z(r)]));
}

void RegisterFile::forget(int id) {
  if (register_of_[z(id)] < 0) return;
  holds_[z(register_of_[z(id)])] = -1;
  register_of_[z(id)] = -1;
}

int RegisterFile::load(int id) {
  if (register_of_[z(id)] < 0) {
    const int r = take();
    fetch(r, id);
    register_of_[z(id)] = r;
    holds_[z(r)] = id;
  }
  return pin(register_of_[z(id)]);
}

// If it is in one or soon needed again.
bool RegisterFile::prefers_register(int id) const {
  if (in_register(id)) return true;
  return !is_constant(id) && later_use(id) - position_ < soon;
}

int RegisterFile::result(int id, std::initializer_list<int> reusable) {
  int r = -1;
  for (const int operand : reusable) {
    if (!in_register(operand) || !dies(operand)) continue;
    r = register_of(operand);
    forget(operand);
    break;
  }
  if (r < 0) r = take();
  holds_[z(r)] = id;
  register_of_[z(id)] = r;
  return pin(r);
}

}  // namespace raak

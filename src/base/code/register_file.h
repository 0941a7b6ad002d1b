// Which value of a straight-line program is in which register: the value needed last gives way (Belady, A study of
// replacement algorithms, IBM Systems Journal 1966), preferably one that is in memory anyway. Decides where values go;
// how they are moved is left to the encoder (emitter.cpp).
#pragma once
#include <array>
#include <initializer_list>
#include <vector>

#include "base/code/program.h"

namespace raak {

class RegisterFile {
 public:
  RegisterFile(const Program& program, const std::vector<int>& order);
  virtual ~RegisterFile() = default;

 protected:
  static constexpr int registers = 16;

  // Instructions that the encoder writes: a register from the memory of a value, and the other way round.
  virtual void fetch(int r, int id) = 0;
  virtual void save(int id, int r) = 0;

  // Before and after the operation at this place of the order.
  void begin(int position);
  void end(int id);
  // The register of a value, fetched if need be; it stays until the operation ends.
  int load(int id);
  // The register of the result: that of an operand among `reusable` that dies, or a fresh one.
  int result(int id, std::initializer_list<int> reusable);
  // A register to use during this operation.
  int scratch() { return pin(take()); }
  int pin(int r) {
    pinned_ |= 1U << r;
    return r;
  }
  // Saves what is needed later: a call follows that destroys all registers.
  void clear();
  void forget(int id);

  int register_of(int id) const { return register_of_[static_cast<std::size_t>(id)]; }
  bool in_register(int id) const { return register_of(id) >= 0; }
  int spill_of(int id) const { return spill_of_[static_cast<std::size_t>(id)]; }
  int spills() const { return spills_; }
  bool is_constant(int id) const { return code_[static_cast<std::size_t>(id)].op == Op::constant; }
  // For operands of the current operation only.
  bool dies(int id) const { return later_use(id) == never; }
  bool prefers_register(int id) const;
  bool is_used(int id) const { return users_.begin(id) != users_.end(id); }

  const std::vector<Instruction>& code_;

 private:
  static constexpr int never = 1 << 30;
  static constexpr int soon = 24;  // operations: a value used again within this many is worth a register

  bool in_memory(int id) const;
  // The place of the next use: at or after the current operation; after it.
  int next_use(int id) const;
  int later_use(int id) const;
  int take();
  void spill(int r, int needed);

  Users users_;
  std::vector<const int*> next_use_;
  std::vector<int> register_of_, spill_of_;
  std::array<int, registers> holds_{};
  std::vector<int> free_spills_;
  unsigned pinned_ = 0;
  int position_ = 0;
  int spills_ = 0;
};

}  // namespace raak

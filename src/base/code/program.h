// A recorded formula as a straight-line program: dead operations removed, products fused into sums. It is ordered for a
// processor by schedule.h, interpreted anywhere by interpreter.h and turned into machine code by emitter.h.
#pragma once
#include <memory>
#include <vector>

#include "base/tape/tape.h"

namespace raak {

class LivePart;

class Program {
 public:
  Program() = default;
  explicit Program(const Tape& tape);
  // Of other instructions than those of the tape, whose reductions are among them.
  Program(std::vector<Instruction> instructions, std::vector<Tape::Output> outputs,
          const std::vector<Tape::Reduction>& reductions);

  // Operations, and their cost in cycles of a machine that starts two a cycle.
  int operations() const { return operations_; }
  double cost() const { return cost_; }

  // Only what the outputs need, each instruction after its operands.
  const std::vector<Instruction>& instructions() const { return instructions_; }
  const std::vector<Tape::Output>& outputs() const { return outputs_; }

  // What depends on numbers that may change (live_part.h); null: nothing does. Its results are constants of the
  // program, of which `a` is the number of the result.
  const std::shared_ptr<LivePart>& live_part() const { return live_part_; }
  void write_constants(const std::vector<double>& of_live_part);
  const std::vector<int>& live_constants() const { return live_constants_; }  // instructions

 private:
  void shorten(const std::vector<Tape::Reduction>& reductions);
  void keep_live();
  void fuse_products();
  void renumber();

  std::vector<Instruction> instructions_;
  std::vector<char> live_;
  std::vector<Tape::Output> outputs_;
  int operations_ = 0;
  double cost_ = 0.0;
  std::shared_ptr<LivePart> live_part_;
  std::vector<int> live_constants_;
};

inline bool is_live_constant(const Instruction& i) {
  return i.op == Op::constant && i.a >= 0;
}

inline bool computes(const Instruction& i) {
  return i.op != Op::constant && i.op != Op::input;
}

// Operands of an instruction: calls f(id) for each.
template <class F>
void for_each_operand(const Instruction& i, F&& f) {
  if (!computes(i)) return;
  f(i.a);
  if (i.b >= 0) f(i.b);
  if (i.c >= 0) f(i.c);
}
// The same for an instruction of the tape that is being recorded, where a sine or cosine depends on its angle, not on
// the pieces of the reduction.
template <class F>
void for_each_dependency(const Instruction& i, F&& f) {
  if (i.op == Op::sine_part || i.op == Op::cosine_part) f(Tape::current().angle_of(i.a));
  else for_each_operand(i, f);
}
// Operands, one that appears twice only once.
template <class F>
void for_each_distinct_operand(const Instruction& i, F&& f) {
  if (!computes(i)) return;
  f(i.a);
  if (i.b >= 0 && i.b != i.a) f(i.b);
  if (i.c >= 0 && i.c != i.a && i.c != i.b) f(i.c);
}

// For each instruction the operations that use it, one after the other in a single array.
class Users {
 public:
  // `order`: the operations in the order in which they shall be listed.
  Users(const std::vector<Instruction>& instructions, const std::vector<int>& order);
  const int* begin(int id) const { return list_.data() + first_[static_cast<std::size_t>(id)]; }
  const int* end(int id) const { return list_.data() + first_[static_cast<std::size_t>(id) + 1]; }

 private:
  std::vector<int> first_, list_;  // places in `order`
};

// The operations as recorded, by number.
std::vector<int> recorded_order(const Program& program);

}  // namespace raak

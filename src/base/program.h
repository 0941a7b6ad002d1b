// A recorded formula as a straight-line program over four lanes: dead operations removed, products fused into sums,
// operations ordered to hide latencies. It can be interpreted anywhere; emitter.h turns it into machine code.
#pragma once
#include <vector>

#include "base/tape.h"

namespace raak {

class Program {
 public:
  Program() = default;
  explicit Program(const Tape& tape);

  // Operations, and their cost in cycles of a machine that starts two a cycle.
  int operations() const { return static_cast<int>(order_.size()); }
  double cost() const { return cost_; }

  // Reads and writes blocks of packs of four doubles, 32-byte aligned; `scratch` holds scratch_size() doubles.
  void interpret(const double* const* in, double* const* out, double* scratch) const;
  std::size_t scratch_size() const { return 4 * static_cast<std::size_t>(slots_); }

  // For the emitter: instructions by id, the order of execution, the outputs.
  const std::vector<Instruction>& instructions() const { return instructions_; }
  const std::vector<int>& order() const { return order_; }
  const std::vector<Tape::Output>& outputs() const { return outputs_; }

 private:
  struct Step {  // of the interpreter: operands and result as offsets into one array of packs
    Op op;
    int to, a, b, c;
    double value;
  };
  void keep_live();
  void fuse_products();
  void schedule();
  void assign_slots();

  std::vector<Instruction> instructions_;
  std::vector<char> live_;
  std::vector<Tape::Output> outputs_;
  std::vector<int> order_;
  std::vector<Step> steps_;
  std::vector<std::pair<int, double>> constants_;  // slot and value
  std::vector<std::pair<int, int>> input_slots_;   // slot and instruction
  std::vector<int> output_slots_;
  int slots_ = 0;
  double cost_ = 0.0;
};

// Operands of an instruction: calls f(id) for each.
template <class F>
void for_each_operand(const Instruction& i, F&& f) {
  if (i.op == Op::constant || i.op == Op::input) return;
  for (const int operand : {i.a, i.b, i.c})
    if (operand >= 0) f(operand);
}

}  // namespace raak

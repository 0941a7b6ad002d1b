// The recording of one kernel of a system: inputs are the blocks t, q, v and [a; lambda].
#pragma once
#include <memory>

#include "base/tape/kernel.h"
#include "system/recorded/formulas.h"

namespace raak {

class KernelRecording {
  Tape tape_;
  Tape::Recording recording_;

 public:
  static constexpr int block_of_forces = 3;  // a, then lambda

  RecordedState x;

  KernelRecording(int coordinates, int rows) : recording_(tape_) {
    const auto inputs = [this](Reals& to, int count, int block) {
      to.reserve(static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i) to.push_back(tape_.new_input(block));
    };
    x.t = tape_.new_input(0);
    inputs(x.q, coordinates, 1);
    inputs(x.v, coordinates, 2);
    inputs(x.a, coordinates, block_of_forces);
    inputs(x.lambda, rows, block_of_forces);
  }
  void write(int block, const Reals& values) {
    for (const Recorded& value : values) tape_.add_output(block, value);
  }
  void write(int block, const Recorded& value) { tape_.add_output(block, value); }
  Reals switching_functions() { return tape_.switching_functions(); }
  Tape& tape() { return tape_; }
  std::unique_ptr<Kernel> kernel() const { return std::make_unique<Kernel>(tape_); }
  int outputs() const { return static_cast<int>(tape_.outputs().size()); }
};

}  // namespace raak

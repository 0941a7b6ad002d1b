// A recorded formula ready to run, for four lanes or one state: interpreted at first, as machine code once it has been
// used often enough to pay for it. All of them give the same bits, so that the moment of the change cannot be seen in a
// result. Safe to share between threads, but not while live numbers change.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>

#include "base/code/emitter.h"
#include "base/code/program.h"
#include "base/tape/interpreter.h"
#include "base/tape/live.h"

namespace raak {

class Kernel final : private FollowsLiveNumbers {
 public:
  explicit Kernel(Program program);
  explicit Kernel(const Tape& tape) : Kernel(Program(tape)) {}
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  // Reads and writes blocks of packs, 32-byte aligned. What is written must not overlap what is read.
  void run(const double* const* in, double* const* out) const { run<Width::four>(in, out); }
  // The same for blocks of plain doubles.
  void run_one(const double* const* in, double* const* out) const { run<Width::one>(in, out); }
  // Machine code now instead of later; false where there can be none.
  bool emit(Width width = Width::four) const;

  const Program& program() const { return program_; }
  std::size_t code_bytes() const { return of(Width::four).bytes() + of(Width::one).bytes(); }

  // Seconds of CPU time that this thread has spent on recording and emission so far.
  static double preparation_seconds();

 private:
  // One of the two forms of the machine code.
  struct Code {
    std::atomic<MachineCode::Function> function = nullptr;
    std::atomic<long> runs = 0;  // interpreted
    std::once_flag once;
    std::unique_ptr<MachineCode> machine;
    std::size_t bytes() const { return machine ? machine->bytes() : 0; }
  };
  Code& of(Width width) const { return width == Width::four ? for_lanes_ : for_one_; }

  template <Width width>
  void run(const double* const* in, double* const* out) const {
    const MachineCode::Function code = of(width).function.load(std::memory_order_acquire);
    if (code != nullptr) code(in, out);
    else interpret(in, out, width);
  }
  void interpret(const double* const* in, double* const* out, Width width) const;
  // Its constants that depend on live numbers are those of now.
  void follow() override;

  Program program_;
  mutable std::once_flag interpreter_once_, order_once_;
  mutable std::unique_ptr<Interpreter> interpreter_;
  mutable std::vector<int> order_;
  mutable Code for_lanes_, for_one_;
};

// Adds the CPU time of its life to Kernel::preparation_seconds().
class PreparationTimer {
 public:
  PreparationTimer();
  ~PreparationTimer();
  PreparationTimer(const PreparationTimer&) = delete;
  PreparationTimer& operator=(const PreparationTimer&) = delete;

 private:
  double began_;
};

}  // namespace raak

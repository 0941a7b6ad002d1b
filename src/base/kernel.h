// A recorded formula ready to run: interpreted at first, as machine code once it has been used often enough to pay for
// it. Both give the same bits, so that the moment of the change cannot be seen in a result. Safe to share between
// threads.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>

#include "base/emitter.h"
#include "base/program.h"

namespace raak {

class Kernel {
 public:
  explicit Kernel(const Tape& tape);

  // Reads and writes blocks of packs, 32-byte aligned (see Program).
  void run(const double* const* in, double* const* out) const {
    const MachineCode::Function code = code_.load(std::memory_order_acquire);
    if (code != nullptr) code(in, out);
    else interpret(in, out);
  }
  // Machine code now instead of later; false where there can be none.
  bool emit() const;

  const Program& program() const { return program_; }
  std::size_t code_bytes() const { return machine_ ? machine_->bytes() : 0; }

  // Seconds of CPU time that this thread has spent on recording and emission so far.
  static double preparation_seconds();

 private:
  void interpret(const double* const* in, double* const* out) const;

  Program program_;
  long pays_after_;  // runs
  mutable std::atomic<long> runs_ = 0;
  mutable std::atomic<MachineCode::Function> code_ = nullptr;
  mutable std::once_flag once_;
  mutable std::unique_ptr<MachineCode> machine_;
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

#include "base/tape/kernel.h"

#include <ctime>
#include <new>
#include <utility>

#include "base/code/live_part.h"
#include "base/code/schedule.h"

namespace raak {
namespace {

thread_local double preparation = 0.0;
thread_local int nested = 0;

double thread_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Interpreted operations take about 1.3 ns each, emitted ones 0.2; ordering and emitting one takes about 0.2 us.
constexpr long runs_that_pay = 200;

// Memory of the interpreter, one per thread, grown when a larger program comes; it remembers whose constants it holds.
double* scratch(const Interpreter& interpreter) {
  struct Aligned {
    double* memory = nullptr;
    std::size_t size = 0;
    std::uint64_t holds = 0;
    ~Aligned() { ::operator delete (memory, std::align_val_t{32}); }
  };
  thread_local Aligned buffer;
  if (buffer.holds == interpreter.number()) return buffer.memory;
  if (const std::size_t size = interpreter.scratch_size(); buffer.size < size) {
    auto* const larger = static_cast<double*>(::operator new (size * sizeof(double), std::align_val_t{32}));
    ::operator delete (buffer.memory, std::align_val_t{32});
    buffer.memory = larger;
    buffer.size = size;
  }
  interpreter.write_constants(buffer.memory);
  buffer.holds = interpreter.number();
  return buffer.memory;
}

}  // namespace

double Kernel::preparation_seconds() {
  return preparation;
}

PreparationTimer::PreparationTimer() : began_(nested++ == 0 ? thread_cpu_seconds() : 0.0) {}
PreparationTimer::~PreparationTimer() {
  if (--nested == 0) preparation += thread_cpu_seconds() - began_;
}

Kernel::Kernel(Program program) : program_(std::move(program)) {
  if (program_.live_part()) program_.live_part()->numbers()->attach(this);
}
Kernel::~Kernel() {
  if (program_.live_part()) program_.live_part()->numbers()->detach(this);
}

void Kernel::follow() {
  if (!program_.live_part()->is_outdated()) return;
  program_.write_constants(program_.live_part()->work_out());
  if (interpreter_) interpreter_->take_constants(program_);
  for (const Code* code : {&for_lanes_, &for_one_})
    if (code->machine) code->machine->take_constants(program_);
}

bool Kernel::emit(Width width) const {
  Code& code = of(width);
  std::call_once(code.once, [&] {
    const PreparationTimer timer;
    std::call_once(order_once_, [this] { order_ = schedule(program_); });
    code.machine = MachineCode::emit(program_, order_, width);
    if (code.machine) code.function.store(code.machine->function(), std::memory_order_release);
  });
  return code.function.load(std::memory_order_acquire) != nullptr;
}

void Kernel::interpret(const double* const* in, double* const* out, Width width) const {
  std::call_once(interpreter_once_, [this] {
    const PreparationTimer timer;
    interpreter_ = std::make_unique<Interpreter>(program_);
  });
  double* const memory = scratch(*interpreter_);
  if (width == Width::four) interpreter_->run_lanes(in, out, memory);
  else interpreter_->run_one(in, out, memory);
  if (of(width).runs.fetch_add(1, std::memory_order_relaxed) == runs_that_pay) emit(width);
}

}  // namespace raak

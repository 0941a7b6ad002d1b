// Checkpoints of a run: its state between two steps, written now and then and read when it is resumed.
#include <fmt/format.h>

#include <chrono>

#include "base/archive.h"
#include "base/error.h"
#include "run/run_loop.h"
#include "system/recorded/kernel_system.h"

namespace raak {

void RunLoop::visit_state(Archive& archive) {
  archive.name(run_.result.method);
  Archive start;
  start(run_.result.start);
  std::string bytes = start.bytes();
  archive(bytes);
  if (bytes != start.bytes())
    throw Error(ErrorKind::request, "the model does not start as it did when the checkpoint was written: run it anew");
  if (const auto* kernels = dynamic_cast<const KernelSystem*>(&run_.system)) kernels->visit_state(archive);
  run_.integrator->visit_state(archive);
  archive(run_.statistics(), recorder_, run_.h, run_.seen_at, run_.result.events, clock_);
  for (const Watches* watches : {&guards_, &observers_})
    for (const auto& watch : *watches) watch->visit_state(archive);
  bool troubled = run_.trouble != nullptr;
  if (troubled) trouble_text_ = run_.trouble;
  archive(troubled, trouble_text_);
  run_.trouble = troubled ? trouble_text_.c_str() : nullptr;
  // The others are the same after every construction, or are not asked for before the run ends.
  scratch(discontinuities_, next_checkpoint_, reserve_, seen_);
}

void RunLoop::resume() {
  Archive archive(run_.plan.checkpoints.state);
  visit_state(archive);
  if (!archive.is_at_end()) throw Error(ErrorKind::request, "the checkpoint is damaged: it is longer than its parts");
}

void RunLoop::look_at_clock() {
  using Clock = std::chrono::steady_clock;
  const Plan& plan = run_.plan;
  const bool stops = plan.stop != nullptr && plan.stop->load(std::memory_order_relaxed);
  if (plan.checkpoints.seconds > 0.0 && (stops || Clock::now() >= next_checkpoint_)) {
    clock_.read();
    clock_.begin();
    Archive archive;
    visit_state(archive);
    plan.checkpoints.write(archive.bytes());
    clock_.end();
    const std::chrono::duration<double> between(plan.checkpoints.seconds);
    next_checkpoint_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(between);
  }
  if (!stops) return;
  run_.is_over = true;
  run_.result.termination = Termination::interrupted;
  run_.result.message = fmt::format("stopped at t = {:.6g} s of {:.6g} s", run_.integrator->time(), plan.until);
}

}  // namespace raak

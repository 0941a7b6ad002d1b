// Checkpoints of a run: its state between two steps, written now and then and read when it is resumed.
#include <algorithm>
#include <chrono>
#include <utility>

#include "base/archive.h"
#include "base/error.h"
#include "run/run_loop.h"
#include "system/recorded/kernel_system.h"

namespace raak {

void RunLoop::visit_state(Archive& archive) {
  archive.name(result_.method);
  Archive start;
  start(result_.start);
  std::string bytes = start.bytes();
  archive(bytes);
  if (bytes != start.bytes())
    throw Error(ErrorKind::request, "the model does not start as it did when the checkpoint was written: run it anew");
  if (const auto* kernels = dynamic_cast<const KernelSystem*>(&system_)) kernels->visit_state(archive);
  integrator_->visit_state(archive);
  archive(statistics(), recorder_, undefined_, pace_, h_, seen_at_, next_growth_look_, grown_, next_lock_look_,
          seems_locked_);
  if (turns_) archive(*turns_);
  if (error_growth_) archive(*error_growth_);
  if (watch_) archive(*watch_);
  if (discontinuities_) archive(*discontinuities_);
  archive(breaches_, result_.events, cpu_before_, recording_before_);
  bool troubled = trouble_ != nullptr;
  if (troubled) trouble_text_ = trouble_;
  archive(troubled, trouble_text_);
  trouble_ = troubled ? trouble_text_.c_str() : nullptr;
  // The others are the same after every construction, or are not asked for before the run ends.
  scratch(system_, plan_, method_, direction_, budget_, events_, ended_at_, recording_, reserve_, began_);
  scratch(next_checkpoint_, stops_, brief_);
}

void RunLoop::resume() {
  Archive archive(plan_.checkpoints.state);
  visit_state(archive);
  if (!archive.is_at_end()) throw Error(ErrorKind::request, "the checkpoint is damaged: it is longer than its parts");
}

void RunLoop::look_at_clock() {
  stops_ = plan_.stop != nullptr && plan_.stop->load(std::memory_order_relaxed);
  if (plan_.checkpoints.seconds <= 0.0) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_checkpoint_ && !stops_) return;
  const double cpu = cpu_before_, recorded = recording_before_, recording = recording_.seconds();
  cpu_before_ += std::max(0.0, unprepared_cpu_seconds() - began_ - recording);
  recording_before_ += recording;
  recording_.begin();
  Archive archive;
  visit_state(archive);
  cpu_before_ = cpu;
  recording_before_ = recorded;
  plan_.checkpoints.write(archive.bytes());
  recording_.end();
  next_checkpoint_ = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                            std::chrono::duration<double>(plan_.checkpoints.seconds));
}

}  // namespace raak

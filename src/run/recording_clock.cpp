#include "run/recording_clock.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include "base/tape/kernel.h"

namespace raak {
namespace {

constexpr double window_length = 200e-6;  // s: a time slice is longer, so that most windows have no interruption
constexpr double undisturbed = 0.95;      // of the wall time is CPU time

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

double unprepared_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) - Kernel::preparation_seconds();
}

double seconds_of_a_reading() {
  constexpr int readings = 200;
  static const double least = [] {
    double found = HUGE_VAL;
    for (int i = 0; i < readings; ++i) {
      const double before = unprepared_cpu_seconds();
      found = std::min(found, unprepared_cpu_seconds() - before);
    }
    return found;
  }();
  return least;
}

void RecordingClock::begin() {
  began_ = wall_seconds();
  prepared_ = Kernel::preparation_seconds();
  if (open_) return;
  window_ = {began_, unprepared_cpu_seconds(), prepared_, 0.0};
  open_ = true;
}

void RecordingClock::end() {
  const double now = wall_seconds();
  window_.recording += std::max(0.0, now - began_ - (Kernel::preparation_seconds() - prepared_));
  if (now - window_.wall >= window_length) close(now);
}

void RecordingClock::close(double now) {
  const double all = now - window_.wall - (Kernel::preparation_seconds() - window_.prepared);
  const double cpu = unprepared_cpu_seconds() - window_.cpu;
  open_ = false;
  if (cpu >= undisturbed * all) {
    recording_ += window_.recording;
    seen_ += all;
  } else {
    interrupted_recording_ += std::min(window_.recording, cpu);
    interrupted_ += cpu;
  }
}

const RecordingClock::Times& RecordingClock::read() {
  const double all = unprepared_cpu_seconds() - started_;
  const double recording = std::min(seconds(), all);
  return read_ = {before_.method + all - recording, before_.recording + recording};
}

double RecordingClock::seconds() {
  if (open_) close(wall_seconds());
  // What was interrupted had the same share of recording as the rest.
  return recording_ + (seen_ > 0.0 ? interrupted_ * recording_ / seen_ : interrupted_recording_);
}

}  // namespace raak

// Separates the time of the integration from that of watching it. A step may take 2 us, and asking the system for the
// CPU time of a thread 0.5 us, so each look at a step is timed by the wall clock, and the CPU time is asked for once in
// a while to see whether the processor was given to somebody else meanwhile.
#pragma once
#include "methods/resumable.h"

namespace raak {

// CPU time of this thread without what went into recording and emitting kernels.
double unprepared_cpu_seconds();
// What one reading of it adds to the time between two: 0.2 to 0.7 us of a system call.
double seconds_of_a_reading();

class RecordingClock {
 public:
  // Around what is not the method's work: never nested.
  void begin();
  void end();
  // CPU time between all begin() and end() so far.
  double seconds();

  // Of a run, s of CPU time: what it took before it was resumed included.
  struct Times {
    double method = 0.0, recording = 0.0;
  };
  void start() { started_ = unprepared_cpu_seconds(); }
  // Since start(), not between begin() and end().
  const Times& read();
  // What was read last.
  void visit_state(Archive& archive) {
    archive(read_);
    if (archive.is_loading()) before_ = read_;
    scratch(window_, open_, began_, prepared_, recording_, seen_, interrupted_recording_, interrupted_, started_);
  }

 private:
  struct Window {
    double wall = 0.0, cpu = 0.0;  // s: when it began, by the clock and in CPU time
    double prepared = 0.0;         // s that had gone into kernels by then, which count for nothing here
    double recording = 0.0;        // s of wall time in it
  };
  void close(double now);

  Window window_;
  bool open_ = false;                    // a window
  double began_ = 0.0, prepared_ = 0.0;  // of the recording on its way
  double recording_ = 0.0, seen_ = 0.0;  // s, in windows that nobody interrupted: of recording, of all
  double interrupted_recording_ = 0.0;   // s of wall time in the others
  double interrupted_ = 0.0;             // s of CPU time in the others
  double started_ = 0.0;                 // s of CPU time
  Times read_, before_;                  // by now, and before the run was resumed
};

}  // namespace raak

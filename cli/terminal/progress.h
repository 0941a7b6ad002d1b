// A line that says how far a long run or bench is: only where a person watches, and gone when it ends.
#pragma once
#include <chrono>
#include <string>

#include "run/integrate.h"

namespace raak::cli {

struct ProgressState {
  double start = 0.0, until = 0.0;  // s, simulated
  double t = 0.0, h = 0.0;          // s, simulated
  double elapsed = 0.0;             // s on the clock
};

// As much as fits into so many columns, the most important first.
std::string progress_line(const ProgressState& state, int columns);

class ProgressBar {
 public:
  ProgressBar(double start, double until);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void step(const StepReport& step);

 private:
  using Clock = std::chrono::steady_clock;
  ProgressState state_;
  Clock::time_point began_, next_;
  bool shown_ = false;
};

// The rows of a bench: how many are done, and how long the others will take if they are like those.
class RowProgress {
 public:
  explicit RowProgress(std::size_t rows);
  ~RowProgress() { hide(); }
  RowProgress(const RowProgress&) = delete;
  RowProgress& operator=(const RowProgress&) = delete;

  void row_done(const std::string& row);
  void hide();

 private:
  using Clock = std::chrono::steady_clock;
  std::size_t rows_, done_ = 0;
  Clock::time_point began_, next_;
  bool shown_ = false;
};

}  // namespace raak::cli

#include "cli/terminal/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "base/text/visible_text.h"
#include "cli/terminal/terminal.h"

namespace raak::cli {
namespace {

// A short run shows nothing; a long one does not flicker.
constexpr auto patience = std::chrono::milliseconds(700), interval = std::chrono::milliseconds(100);
constexpr std::size_t widest_bar = 30, narrowest_bar = 8;

std::string clock_text(double seconds) {
  if (!std::isfinite(seconds) || seconds > 359999.0) return "long";
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

// A bar, the share, what is left of the time, and as many of the parts as fit into so many columns.
std::string bar_line(double share, double elapsed, const std::vector<std::string>& parts, int columns) {
  const double left = share > 0.0 ? elapsed * (1.0 - share) / share : INFINITY;
  const auto room = static_cast<std::size_t>(std::max(1, columns - 1));  // the last column would wrap
  std::string line = fmt::format("{:3.0f} %", std::floor(100.0 * share));
  const auto append = [&](const std::string& part) {
    const bool fits = line.size() + 2 + part.size() <= room;
    if (fits) line += "  " + part;
    return fits;
  };
  if (append(clock_text(left) + " left")) std::all_of(parts.begin(), parts.end(), append);
  if (line.size() + narrowest_bar + 3 <= room) {
    const std::size_t cells = std::min(widest_bar, room - line.size() - 3);
    const auto full = static_cast<std::size_t>(share * static_cast<double>(cells));
    line = fmt::format("[{:#<{}}{:.<{}}] {}", "", full, "", cells - full, line);
  }
  return line.substr(0, room);
}

}  // namespace

std::string progress_line(const ProgressState& state, int columns) {
  const double span = state.until - state.start;
  const double share = span == 0.0 ? 1.0 : std::clamp((state.t - state.start) / span, 0.0, 1.0);
  const double rate = state.elapsed > 0.0 ? std::abs(state.t - state.start) / state.elapsed : 0.0;
  return bar_line(share, state.elapsed,
                  {fmt::format("t = {:.4g} of {:.4g} s", state.t, state.until),
                   fmt::format("h = {:.1e} s", std::abs(state.h)), fmt::format("{:.3g} s/s", rate)},
                  columns);
}

ProgressBar::ProgressBar(double start, double until)
    : state_{start, until, start}, began_(Clock::now()), next_(began_ + patience) {}

ProgressBar::~ProgressBar() {
  if (shown_) hide_progress();
}

void ProgressBar::step(const StepReport& step) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + interval;
  shown_ = true;
  state_.t = step.t;
  state_.h = step.h;
  state_.elapsed = std::chrono::duration<double>(now - began_).count();
  replace_line(progress_line(state_, error_columns()));
}

RowProgress::RowProgress(std::size_t rows) : rows_(rows), began_(Clock::now()), next_(began_ + patience) {}

void RowProgress::row_done(const std::string& row) {
  ++done_;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + interval;
  shown_ = true;
  const double share = std::min(1.0, static_cast<double>(done_) / static_cast<double>(std::max<std::size_t>(1, rows_)));
  replace_line(bar_line(share, std::chrono::duration<double>(now - began_).count(),
                        {fmt::format("{} of {} rows", done_, rows_), visible_text(row)}, error_columns()));
}

void RowProgress::hide() {
  if (shown_) hide_progress();
  shown_ = false;
}

}  // namespace raak::cli

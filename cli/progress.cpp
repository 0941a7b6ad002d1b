#include "cli/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "cli/terminal.h"

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

}  // namespace

std::string progress_line(const ProgressState& state, int columns) {
  const double span = state.until - state.start;
  const double share = span == 0.0 ? 1.0 : std::clamp((state.t - state.start) / span, 0.0, 1.0);
  const double left = share > 0.0 ? state.elapsed * (1.0 - share) / share : INFINITY;
  const double rate = state.elapsed > 0.0 ? std::abs(state.t - state.start) / state.elapsed : 0.0;
  const auto room = static_cast<std::size_t>(std::max(1, columns - 1));  // the last column would wrap
  std::string line = fmt::format("{:3.0f} %", std::floor(100.0 * share));
  const std::vector<std::string> parts{clock_text(left) + " left",
                                       fmt::format("t = {:.4g} of {:.4g} s", state.t, state.until),
                                       fmt::format("h = {:.1e} s", std::abs(state.h)), fmt::format("{:.3g} s/s", rate)};
  for (const std::string& part : parts) {
    if (line.size() + 2 + part.size() > room) break;
    line += "  " + part;
  }
  if (line.size() + narrowest_bar + 3 <= room) {
    const std::size_t cells = std::min(widest_bar, room - line.size() - 3);
    const auto full = static_cast<std::size_t>(share * static_cast<double>(cells));
    line = fmt::format("[{:#<{}}{:.<{}}] {}", "", full, "", cells - full, line);
  }
  return line.substr(0, room);
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

}  // namespace raak::cli

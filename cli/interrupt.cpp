#include "cli/interrupt.h"

#include <array>
#include <csignal>
#include <ctime>

namespace raak::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

std::atomic<long> first_at{0};  // s

// One signal asks the run to end with what it has; another one a second or more later ends it at once. Some senders
// (timeout, a terminal that closes) signal twice at the same moment.
extern "C" void note_interrupt(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (interrupted.exchange(true)) {
    if (now.tv_sec - first_at <= 1) return;
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  first_at = now.tv_sec;
}

}  // namespace

const std::atomic<bool>& listen_for_interrupt() {
  struct sigaction action {};
  action.sa_handler = note_interrupt;
  action.sa_flags = static_cast<int>(SA_RESTART);
  constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
  sigemptyset(&action.sa_mask);
  for (const int signal : signals) sigaddset(&action.sa_mask, signal);  // the handler sees one at a time
  for (const int signal : signals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup has it ignored
  }
  return interrupted;
}

}  // namespace raak::cli

// Ctrl-C as a request to stop: the run ends after its current step and keeps what it has.
#pragma once
#include <atomic>

namespace raak::cli {

// From here on SIGINT, SIGTERM and SIGHUP, where they were not ignored, set the flag that is returned; another one a
// second or more later ends the program at once.
const std::atomic<bool>& listen_for_interrupt();

}  // namespace raak::cli

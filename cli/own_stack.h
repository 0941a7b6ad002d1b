// A stack that is large enough, whatever `ulimit -s` says: files nest values up to bounds that 8 MB bear.
#pragma once
#include <functional>

namespace raak::cli {

// Calls the action, which must not throw: on the stack of the program, or in a thread of its own where that is small.
int on_sufficient_stack(const std::function<int()>& action);

}  // namespace raak::cli

// The order in which a processor should meet the operations of a program: list scheduling, longest remaining path
// first, inside a sliding window of the recorded order. Gibbons and Muchnick, Efficient instruction scheduling for a
// pipelined architecture, SIGPLAN 1986.
#pragma once
#include <vector>

#include "base/program.h"

namespace raak {

std::vector<int> schedule(const Program& program);

}  // namespace raak

// The order in which a processor should meet the operations of a program: list scheduling, longest remaining path
// first, inside a sliding window of the recorded order (Gibbons and Muchnick, Efficient instruction scheduling for a
// pipelined architecture, SIGPLAN 1986). Where more values are alive than registers hold, operations that free one come
// first (Goodman and Hsu, Code scheduling and register allocation in large basic blocks, ICS 1988).
#pragma once
#include <vector>

#include "base/code/program.h"

namespace raak {

std::vector<int> schedule(const Program& program);

}  // namespace raak

// Records a program once more as part of a larger formula, with values of that formula in place of its inputs. What the
// parts have in common is then shared, and what passes between them stays in registers.
#pragma once
#include <functional>
#include <vector>

#include "base/code/program.h"

namespace raak {

// The outputs of a program in their order, on the tape that is being recorded.
std::vector<Recorded> replay(const Program& program, const std::function<Recorded(int block, int number)>& input);

}  // namespace raak

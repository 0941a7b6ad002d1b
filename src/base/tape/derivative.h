// Exact derivatives on the tape: appends the operations that yield the partial derivatives of recorded values, forward
// and only along dependencies, so that structural zeros stay structural and common terms are shared. Griewank and
// Walther, Evaluating Derivatives, 2nd ed., SIAM 2008, chapters 3 and 7 (sparse forward mode).
#pragma once
#include <utility>
#include <vector>

#include "base/tape/tape.h"

namespace raak {

// (number of the variable, partial derivative), ascending; a derivative that is always zero is absent.
using Gradient = std::vector<std::pair<int, Recorded>>;

// d values / d variables, on the tape that is being recorded. The variables are inputs, each one once.
std::vector<Gradient> gradients(const std::vector<Recorded>& values, const std::vector<Recorded>& variables);

// d values(variables + s direction) / ds at s = 0.
std::vector<Recorded> derivative_along(const std::vector<Recorded>& values, const std::vector<Recorded>& variables,
                                       const std::vector<Recorded>& direction);

}  // namespace raak

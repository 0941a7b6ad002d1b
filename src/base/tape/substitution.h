// Recorded values with other values in place of some variables. A formula is differentiated while its variables are
// inputs, which nothing else on the tape can equal; what they stand for is put in afterwards.
#pragma once
#include <vector>

#include "base/tape/tape.h"

namespace raak {

// The block of inputs that are made to be replaced: what depends on them is never evaluated.
constexpr int block_of_variables = 101;

// values(variables := replacements), on the tape that is being recorded. The variables are inputs, each one once.
std::vector<Recorded> substitute(const std::vector<Recorded>& values, const std::vector<Recorded>& variables,
                                 const std::vector<Recorded>& replacements);

}  // namespace raak

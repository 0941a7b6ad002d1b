// Sines and cosines of a sum or difference of two angles whose own are needed anyway, by the addition theorems: two
// products each instead of a reduction and a polynomial.
#pragma once
#include <vector>

#include "base/tape/tape.h"

namespace raak {

// The instructions of a tape with such sines and cosines rewritten, each after its operands; the outputs follow their
// numbers. `live`: what the outputs need.
std::vector<Instruction> with_angle_sums(std::vector<Instruction> instructions,
                                         const std::vector<Tape::Reduction>& reductions, const std::vector<char>& live,
                                         std::vector<Tape::Output>& outputs);

}  // namespace raak

// Fused kernels: passes over all bodies by a few long kernels. The steps of an evaluation up to the elimination of a
// node - its bodies, elements, blocks and the elimination itself - are recorded as one formula, so that what they hand
// to each other stays in registers; what later steps need is left in one piece of memory, pieces in the order of their
// making. In a large mechanism most nodes have the same surroundings: their numbers are inputs and one kernel serves
// them all.
#pragma once
#include <memory>
#include <vector>

#include "base/pack.h"
#include "base/tape/kernel.h"

namespace raak {

struct FusedKernel {
  enum class Space : char { time, parameters, coordinates, rates, memory };
  static constexpr std::size_t most_inputs = 8, most_results = 2;

  std::unique_ptr<Kernel> kernel;
  std::vector<Space> inputs;
  int results = 0;              // arrays of final unknowns that it writes, beside its piece of memory
  int pivots = 0, squares = 0;  // numbers at the start of the piece: shares of pivots, then squared residuals
};

struct FusedCalls {
  struct Call {
    const FusedKernel* kernel;
    int operands;  // where those of the inputs, of the piece and of the results begin
  };
  std::vector<Call> calls;
  std::vector<int> operands;
};

// Where the spaces of a pass lie.
template <class Number>
struct FusedMemory {
  const Number *time, *parameters, *q, *v;
  Number *memory, *results;
};

// What a pass has seen: the largest share of a pivot (block_kernels.h) and the sum of squared residuals.
template <class Number>
struct FusedSums {
  Number largest, squares;
};

// Defined for double and Pack.
template <class Number>
void run_fused(const FusedCalls& pass, const FusedMemory<Number>& at, FusedSums<Number>& sums);

// Two passes, to the factors and back, and what they use.
struct FusedPair {
  FusedCalls forward, back;
};

}  // namespace raak

// Other codes on the same systems: each takes a consistent start and hands back what an integration of ours would.
#pragma once
#include <string>

#include "run/integrate.h"

namespace raak::peers {

struct Problem {
  const ConstrainedSystem& system;
  const State& start;
  double until = 0.0;
  double rtol = 0.0, atol = 0.0;
  double first_step = 0.0;  // s, 0: chosen by the code
};

constexpr long most_steps = 200'000;

double thread_cpu_seconds();

// A result with the end state, its outputs and no energy ledger.
Result finish(const Problem& problem, const State& end, const Statistics& statistics, const std::string& trouble);

// IDA (variable-order BDF) on the form of Gear, Gupta and Leimkuhler, dense Newton matrix from the blocks of the
// system.
Result ida_ggl(const Problem& problem);

// ARKODE's explicit Runge-Kutta pairs on the index-1 form, projected onto both levels after each step.
Result arkode_order5(const Problem& problem);
Result arkode_order8(const Problem& problem);

}  // namespace raak::peers

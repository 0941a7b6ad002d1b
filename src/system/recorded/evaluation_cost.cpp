#include "system/recorded/evaluation_cost.h"

#include <algorithm>

#include "system/recorded/kernel_system.h"

namespace raak {

// Measured beside factors of dense matrices: from 0.45 ns a cycle of short programs to 1.5 ns of those that no cache
// near to the processor holds, where factors take 0.3 ns.
double cycles_of_program(double cost) {
  constexpr double too_long = 10'000.0;
  constexpr double wait = 3.5;
  return cost * (1.0 + wait * std::min(1.0, cost / too_long));
}

double acceleration_cost(const ConstrainedSystem& system, double t, const Vector& q) {
  if (const auto* const counted = dynamic_cast<const CountedEvaluation*>(&system)) return counted->counted_cost();
  if (const auto* const recorded = dynamic_cast<const KernelSystem*>(&system))
    return cycles_of_program(recorded->acceleration_cost(t, q));
  // Of dense matrices: M^-1 [f G'], G M^-1 G' and its factors, two multiplications a cycle.
  const double n = system.coordinates(), m = system.rows();
  return 50.0 * n + 0.5 * (n * n * (n / 6.0 + m) + m * m * (0.5 * n + m / 6.0));
}

}  // namespace raak

#include "system/evaluation_cost.h"

#include "system/kernel_system.h"

namespace raak {

double acceleration_cost(const ConstrainedSystem& system, double t, const Vector& q) {
  if (const auto* const counted = dynamic_cast<const CountedEvaluation*>(&system)) return counted->counted_cost();
  if (const auto* const recorded = dynamic_cast<const KernelSystem*>(&system)) return recorded->acceleration_cost(t, q);
  // Of dense matrices: M^-1 [f G'], G M^-1 G' and its factors, two multiplications a cycle.
  const double n = system.coordinates(), m = system.rows();
  return 50.0 * n + 0.5 * (n * n * (n / 6.0 + m) + m * m * (0.5 * n + m / 6.0));
}

}  // namespace raak

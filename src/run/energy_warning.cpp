#include "run/energy_warning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace raak {

void warn_of_energy(const ConstrainedSystem& system, Result& result) {
  constexpr double share = 0.02;
  constexpr double negligible = 1e-3;  // J: its rounding is no energy that anybody looks for
  const Energy before = system.energy(result.start.t, result.start.q, result.start.v);
  const Energy after = system.energy(result.end.t, result.end.q, result.end.v);
  const double moved = std::max({before.kinetic, after.kinetic, std::abs(after.potential - before.potential)});
  // What rounding leaves of the energies that are added up is no motion.
  const double rounding = 1e-12 * std::max({std::abs(before.potential), std::abs(after.potential),
                                            std::abs(before.input), std::abs(after.input), negligible});
  if (!(result.quality.energy_drift > std::max(share * moved, rounding)) || !(moved > 0.0)) return;
  result.warnings.push_back(
      fmt::format("the energy balance is off by {:.2g} J where {:.2g} J move: the motion may be wrong. Compare with a "
                  "tighter --rtol and another --method",
                  result.quality.energy_drift, moved));
}

}  // namespace raak

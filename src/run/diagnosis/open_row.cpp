// The diagnosis of a run that left the configurations where a constraint row followed from the others.
#include <fmt/format.h>

#include <cmath>

#include "run/diagnosis/diagnosis.h"

namespace raak {

Diagnosis diagnose_open_row(const ConstrainedSystem& system, const State& start, const State& last, double step,
                            const RowGap& gap) {
  Diagnosis found = look_around(system, start, last, step);
  found.cause = Diagnosis::Cause::contradictory_constraints;
  found.worst_constraint = gap.row.name();
  found.worst_residual = gap.size;
  found.conditioning = {last.t, 0.0, {{gap.row, std::nan("")}}};  // the rows were dependent with this one
  found.happened = fmt::format("at t = {:.9g} s \"{}\" is open by {:.3g} {}", last.t, gap.row.name(), gap.size,
                               gap.row.unit.empty() ? "m (or rad)" : gap.row.unit);
  if (gap.row.kind == Row::Kind::driver) {
    found.because = "this driver and others move the same thing, and no longer ask for the same motion";
    found.advice = "take one of the drivers away, or give them the same motion";
  } else {
    found.because =
        "at the start its row followed from the others and was left out, here it does not: the mechanism has left the "
        "configurations where it is redundant";
    found.advice =
        "start from a configuration on the branch of the motion where the joints are independent; raak assemble lists "
        "which "
        "rows are redundant at the start";
  }
  return found;
}

}  // namespace raak

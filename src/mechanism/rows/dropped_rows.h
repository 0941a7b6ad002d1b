// Looks after the constraint rows that were dropped as redundant: a joint must not open because its row was dependent
// on others where the rows were chosen.
#pragma once
#include <memory>

#include "kinematics/model.h"
#include "mechanism/formulas/maximal.h"

namespace raak {

// How far the dropped position rows are open in a state of `system`; null where every row takes part. `complete` has
// all rows, in the coordinates of the bodies.
std::shared_ptr<const DroppedRows> watch_dropped_rows(const std::shared_ptr<const MaximalFormulas>& all,
                                                      const MaximalFormulas& kept,
                                                      const std::shared_ptr<const ConstrainedSystem>& complete,
                                                      const std::shared_ptr<const ConstrainedSystem>& system);

}  // namespace raak

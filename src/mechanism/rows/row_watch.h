// Looks after the constraint rows that were left out as redundant: a joint must not open because its row was dependent
// on others where the rows were chosen.
#pragma once
#include <memory>

#include "kinematics/model.h"
#include "mechanism/formulas/mechanism_system.h"

namespace raak {

// How far the left-out position rows are open in a state of `system`. None where every row takes part.
std::function<RowGap(const State&)> watch_left_out_rows(const std::shared_ptr<const MaximalFormulas>& all,
                                                        const MaximalFormulas& kept,
                                                        const std::shared_ptr<const ConstrainedSystem>& system);
// The same where the coordinates of the system are those of `complete`, which has all rows.
std::function<RowGap(const State&)> watch_left_out_rows_of(const std::shared_ptr<const ConstrainedSystem>& complete,
                                                           const std::shared_ptr<const MaximalFormulas>& all,
                                                           const MaximalFormulas& kept);

}  // namespace raak

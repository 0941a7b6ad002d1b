// What is said of a start whose constraints cannot be satisfied.
#pragma once
#include "system/constrained_system.h"
#include "system/row_meanings.h"

namespace raak {

// Throws the AssemblyError (open_joints.h) of a start whose position rows stay open; q is the closest pose found from
// it. Rows that have no value at the start are told instead.
[[noreturn]] void refuse_open_joints(const ConstrainedSystem& system, double t, const Vector& start, const Vector& q,
                                     const RowMeanings& meanings);

}  // namespace raak

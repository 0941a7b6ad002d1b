// How large a mechanism is, which tells poses from places where nothing of it can be (system/pose_bounds.h).
#pragma once
#include "mechanism/maximal.h"
#include "system/pose_bounds.h"

namespace raak {

// Around the guess q; `gaps` are those of all position rows of the formulas there.
PoseBounds bounds_around(const MaximalFormulas& formulas, const Vector& q, const Vector& gaps);

}  // namespace raak

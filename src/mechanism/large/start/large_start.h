// A consistent start of many bodies from trusted values and guesses: Gauss-Newton steps, shortest in the metric of M,
// shortened until the residual falls (docs/methods.md; the small form: kinematics/start/consistent_start.h).
#pragma once
#include "kinematics/start/consistent_start.h"
#include "mechanism/large/evaluation.h"

namespace raak {

// q and v that satisfy every row and hold what is trusted; `evaluation` has all rows of the formulas.
State find_large_motion(const MaximalFormulas& formulas, const LargeEvaluation& evaluation, const ReportedNames& names,
                        const StartRequest& start);

}  // namespace raak

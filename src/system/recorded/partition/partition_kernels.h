// What the kernels of a partition compute (partition.h), written to a recording from the terms of the motion.
#pragma once
#include "system/elimination/pivot_plan.h"
#include "system/recorded/motion_terms.h"
#include "system/recorded/recording.h"

namespace raak {

// Block 0: a; block 1: q_D corrected, v_D and N_D; block 2: the determinants. Of v the independent part is read.
void write_partition(const Formulas& formulas, const PivotPlan& plan, KernelRecording& to);

// Mass, damping and stiffness of the linearised equations in the independent coordinates: N'MN, -N' df/dv N and
// N' (d(M a + G' lambda)/dq - df/dq) N, row by row in block 0.
void write_linearisation(const Formulas& formulas, const PivotPlan& plan, KernelRecording& to);

}  // namespace raak

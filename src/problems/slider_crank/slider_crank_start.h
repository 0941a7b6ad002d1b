// Starts of the slider crank (Test Set for IVP Solvers 2.4, 19.2 and 19.3). The printed smooth start is the first term
// of the expansion of slow_manifold.h: its deformations q3, q4 to all digits printed, its rates those of forward
// differences of that term over 1e-5 s, which is why q3' and q4' are not the zeros that symmetry asks for.
#pragma once
#include "kinematics/start/consistent_start.h"
#include "problems/slider_crank/slider_crank_equations.h"
#include "system/constrained_system.h"

namespace raak {

// The rod undeformed, without rates of deformation, at the crank angle given.
StartRequest rigid_start(const SliderCrank& problem, double phi1);
// The numbers of the document, whatever the parameters are. The printed x3 is rounded to 9 digits and misses the slider
// by 2.031e-10 m, which the index-2 form keeps for ever.
StartRequest printed_start(const SliderCrank& problem, bool keep_offset);
// On the slow manifold of the rod, `order` terms after the first.
StartRequest smooth_rod_start(const ConstrainedSystem& system, const SliderCrank& problem, double phi1, int order);

}  // namespace raak

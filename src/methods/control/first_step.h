// A first step for a method of order p from the sizes of y, y' and y'' (Hairer, Norsett and Wanner, Solving Ordinary
// Differential Equations I, section II.4). One evaluation; s, signed towards `until`.
#pragma once
#include "methods/method.h"

namespace raak {

double choose_first_step(const ConstrainedSystem& system, const State& start, double until, int p,
                         const Tolerances& tolerances, Statistics& statistics);

}  // namespace raak

// Gauss collocation in independent coordinates: a part of q itself, chosen by pivoting on G and kept while it serves
// (Wehage and Haug, J. Mech. Design 104, 1982). In every sweep the dependent coordinates of the stages are corrected by
// one Newton step and their velocities solved for; only the independent ones count for accuracy.
#pragma once
#include <memory>

#include "methods/gauss.h"

namespace raak {

// For systems without velocity rows.
std::unique_ptr<Integrator> make_tangent(const ConstrainedSystem& system, const std::string& form,
                                         const Tolerances& tolerances);

}  // namespace raak

// What of the reactions the motion does not determine: the outputs, and the components of the reactions of joints, that
// change with multipliers which do nothing to the bodies. Of a door that hangs on two ball joints those are the forces
// along the line through both.
#pragma once
#include <string>
#include <vector>

#include "mechanism/mechanism_system.h"
#include "mechanism/redundancy.h"

namespace raak {

std::vector<int> indeterminate_outputs(const MechanismSystem& complete, const RowChoice& choice, const State& pose);
// "low.force.z" and the like of the joints, drivers and equations that share a redundancy; just their names where they
// are very many.
std::vector<std::string> indeterminate_components(const MaximalFormulas& all, const RowChoice& choice,
                                                  const State& pose);

}  // namespace raak

// The functions of a mechanism's events: the same system once more, with these for outputs.
#pragma once
#include <memory>
#include <vector>

#include "kinematics/model.h"
#include "mechanism/formulas/maximal.h"

namespace raak {

std::vector<ModelEvent> events_of(const Mechanism& mechanism);
// Formulas that evaluate the events instead of the outputs.
std::shared_ptr<const MaximalFormulas> event_formulas(const MaximalFormulas& formulas);

}  // namespace raak

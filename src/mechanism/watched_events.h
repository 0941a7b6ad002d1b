// The functions of a mechanism's events: the same system once more, with these for outputs.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "kinematics/model.h"
#include "mechanism/formulas/maximal.h"

namespace raak {

// `make_system` builds, from formulas that evaluate the events instead of the outputs, a system in the coordinates of
// the model.
std::vector<ModelEvent> watched_events(
    const MaximalFormulas& formulas,
    const std::function<std::shared_ptr<const ConstrainedSystem>(std::shared_ptr<MaximalFormulas>)>& make_system);

}  // namespace raak

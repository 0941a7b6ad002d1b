// What of the reactions the motion does not determine: the outputs, and the components of the reactions of joints, that
// change with multipliers which do nothing to the bodies. Of a door that hangs on two ball joints those are the forces
// along the line through both.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mechanism/formulas/mechanism_system.h"
#include "mechanism/rows/redundancy.h"

namespace raak {

// Outputs that are not unique at any configuration of the motion that was looked at, and those that are at some.
struct IndeterminateSets {
  std::vector<int> always, sometimes;
};
IndeterminateSets indeterminate_outputs(const ConstrainedSystem& complete, const RowChoice& choice, const State& at);

// Of the outputs that are not unique at some configurations those that are not at the configuration given. `complete`
// has all rows, of which so many as `rank` are independent.
std::function<std::vector<int>(const State&)> watch_indeterminate_outputs(
    const std::shared_ptr<const ConstrainedSystem>& complete, const Instance& instance, int rank,
    std::vector<int> sometimes);

// "low.force.z" and the like of the joints, drivers and equations that share a redundancy; just their names where they
// are very many. `make_system` builds a system from formulas that evaluate these components instead of the outputs.
std::vector<std::string> indeterminate_components(
    const MaximalFormulas& all, const RowChoice& choice, const State& at,
    const std::function<std::shared_ptr<const ConstrainedSystem>(std::shared_ptr<MaximalFormulas>)>& make_system);

}  // namespace raak

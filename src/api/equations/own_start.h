// A model of equations of a user's own: a system with start values by name.
#pragma once
#include <raak/equations.h>

#include <memory>
#include <string>

#include "api/core.h"
#include "system/constrained_system.h"

namespace raak_v0::detail {

// Refuses names and units that are not as many as there are coordinates.
core::Description described(const Description& own, int coordinates);
Model started(const std::shared_ptr<const core::ConstrainedSystem>& system, const StartValues& values,
              const std::string& name);

}  // namespace raak_v0::detail

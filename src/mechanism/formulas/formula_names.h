// Names in outputs and events that mean nothing are refused when a mechanism is assembled, by whatever command: they
// would otherwise show only where values are asked for, after a long run at worst.
#pragma once
#include "mechanism/formulas/maximal.h"

namespace raak {

// Throws the place in the file and the nearest name.
void require_known_names(const MaximalFormulas& formulas);

}  // namespace raak

// The unit of an output, found from its formula: names have units, and a formula whose value goes with a power of each
// of them, whatever the values are, has the product of these powers (Bridgman, Dimensional Analysis, 1922).
#pragma once
#include <string>

#include "base/expression.h"

namespace raak {

// "m", "rad", "N m", ...; "SI" where the formula holds parameters, whose units nobody tells, or is of no plain kind.
std::string unit_of(const Expression& formula);

}  // namespace raak

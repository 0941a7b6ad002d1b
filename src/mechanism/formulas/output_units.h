// The unit of a formula, from the units of its names: a formula of a quantity is homogeneous in each unit, and
// by Euler's theorem its degrees and those of its parameters solve linear equations (Bridgman, Dimensional Analysis,
// 1922). "P.x - line" is a length, whatever "line" was meant to be.
#pragma once
#include <string>

#include "base/text/expression.h"

namespace raak {

// "m", "rad", "N m", ...; empty where it depends on parameters, whose units nobody gives, or is of no plain kind.
std::string unit_of(const Expression& formula);

}  // namespace raak

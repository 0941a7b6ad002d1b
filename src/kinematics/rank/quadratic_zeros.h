// Zeros of several quadratic equations in several unknowns, as the branches through a singular configuration have them.
#pragma once
#include <functional>
#include <vector>

#include "base/linear/linear.h"

namespace raak {

// Their values, of order 1, for given unknowns; quadratic up to rounding.
using QuadraticEquations = std::function<Vector(const Vector&)>;

// Whether values are zero but for rounding.
bool are_zero(const Vector& values);

// All of one unknown, of several some. Combinations of the equations that are linear are solved first, again and again
// as long as what they settle makes others linear; what is left is solved for at once, from several places. Empty also
// where the only zero is a multiple one.
std::vector<Vector> quadratic_zeros(const QuadraticEquations& equations, Eigen::Index unknowns);

}  // namespace raak

// Relative errors that a method cannot hold, however many steps it takes: methods of low order need so many short ones
// for a tight tolerance that the rounding errors of all of them, magnified by their differences, are more than it
// allows. What such a method holds of a step's error stays at this tolerance where less is asked for.
#pragma once

namespace raak {

inline constexpr double rounding_of_generalized_alpha = 5e-9;
inline constexpr double rounding_of_bdf = 1e-10;
}  // namespace raak

// Relative errors that a method cannot hold, however many steps it takes: methods of low order need so many short ones
// for a tight tolerance that the rounding errors of all of them, magnified by their differences, are more than it
// allows. What such a method holds of a step's error stays at this tolerance where less is asked for.
#pragma once
#include <string>

namespace raak {

inline constexpr double rounding_of_generalized_alpha = 5e-9;
inline constexpr double rounding_of_bdf = 1e-10;

// 0: what double precision can hold.
inline double rounding_floor(const std::string& method) {
  if (method == "generalized-alpha") return rounding_of_generalized_alpha;
  return method == "bdf" ? rounding_of_bdf : 0.0;
}

}  // namespace raak

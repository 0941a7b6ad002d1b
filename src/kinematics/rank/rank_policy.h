// When constraint rows count as dependent: singular values of unit rows, relative to the largest. Nothing else decides
// on ranks.
#pragma once
#include <limits>

namespace raak {

struct RankPolicy {
  static constexpr double zero = 1e-10;    // rounding errors, where a configuration is given exactly
  static constexpr double weak = 1e-6;     // where Newton's method found it: a double zero has half the digits
  static constexpr double regular = 1e-3;  // beyond it no singular configuration is near

  // The pivots of G M^-1 G' are squares of such sines, and known to eps.
  static constexpr double resolved_pivot = weak * regular;  // accelerations found by elimination have half the digits
  static constexpr double lost_pivot = 512.0 * std::numeric_limits<double>::epsilon();  // they have none
};

}  // namespace raak

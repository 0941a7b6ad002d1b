// What rows of the constraints stand for, as far as messages about a start need it.
#pragma once
#include <functional>
#include <vector>

namespace raak {

struct RowMeanings {
  std::vector<int> suspects = {};  // named first where not all rows can hold: values that were given, drivers
  std::vector<int> held = {};      // hold by definition, such as the unit lengths of quaternions: never named
  // A residual of a row in the unit of the row, where it is not that itself, as (d^2 - l^2)/2l of a rod.
  std::function<double(int row, double residual)> gap = {};
};

}  // namespace raak

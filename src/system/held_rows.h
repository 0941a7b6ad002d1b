// Rows of the constraints that hold by definition, as the unit lengths of quaternions do: nobody wrote them, so that
// nobody is told to mend them.
#pragma once
#include <string>
#include <vector>

#include "system/constrained_system.h"

namespace raak {

inline bool holds_by_definition(const std::string& row) {
  return row.ends_with(", unit quaternion");
}

// Their places among all rows, and those of the others.
inline std::vector<int> rows_that_are(const Description& description, bool held) {
  std::vector<int> rows;
  for (std::size_t i = 0; i < description.constraints.size(); ++i)
    if (holds_by_definition(description.constraints[i]) == held) rows.push_back(static_cast<int>(i));
  return rows;
}
inline std::vector<int> held_rows(const Description& description) {
  return rows_that_are(description, true);
}
inline std::vector<int> free_rows(const Description& description) {
  return rows_that_are(description, false);
}

// Of the position rows alone, which come first.
inline std::vector<int> held_position_rows(const ConstrainedSystem& system) {
  std::vector<int> rows = held_rows(system.description());
  std::erase_if(rows, [&](int row) { return row >= system.position_rows(); });
  return rows;
}

}  // namespace raak

// How rows in directions that move with bodies (Rows::begin_components) stand to those of set 0, whose multipliers are
// shown: lambda_0 = C lambda with cosines C, group by group. Both act alike: G_0' lambda_0 = G' lambda.
#pragma once
#include <memory>
#include <vector>

#include "mechanism/formulas/maximal.h"

namespace raak {

class RecordedSystem;

class RowTurns {
 public:
  explicit RowTurns(const std::shared_ptr<const MaximalFormulas>& formulas);
  ~RowTurns();

  struct Group {
    std::size_t row, size;  // its first row among all rows
  };
  // Those that are not in set 0.
  const std::vector<Group>& groups() const { return groups_; }
  // C of each group at a configuration in maximal coordinates, row by row, one after the other.
  void cosines(double t, const Vector& q, Vector& values) const;

 private:
  std::vector<Group> groups_;
  std::unique_ptr<const RecordedSystem> recorded_;  // none where there are no groups
};

// Multipliers as they are shown: of rows in set 0 in file order, those that are not unique and those of rows left out
// as not a number.
class ShownMultipliers {
 public:
  explicit ShownMultipliers(const std::shared_ptr<const MaximalFormulas>& formulas);

  // Places among all rows.
  void mark_indeterminate(const std::vector<std::size_t>& rows);
  void show(double t, const Vector& q, const Vector& lambda, Vector& shown) const;

 private:
  struct Shown {
    std::size_t row;      // among all rows
    int multiplier = -1;  // among the kept ones
    bool known = false;
  };
  std::vector<Shown> shown_;
  std::vector<int> place_of_row_, multiplier_of_row_;  // -1: none
  RowTurns turns_;
};

}  // namespace raak

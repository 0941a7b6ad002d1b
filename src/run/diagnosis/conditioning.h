// How far the constraints are from losing rank, and which of them meet where they do: the smallest singular value of
// the constraint Jacobian, rows and columns scaled to comparable units, and its left vector.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "kinematics/rank/rank_policy.h"
#include "system/constrained_system.h"

namespace raak {

struct Conditioning {
  double t = 0.0;                            // s
  double ratio = 1.0;                        // smallest over largest singular value of the scaled Jacobian
  std::vector<std::pair<Row, double>> rows;  // constraints that share the smallest one, with their weights
};

// Beyond it the decomposition takes longer than the answer is worth; nothing is found then.
inline constexpr int most_rows_to_decompose = 1500;

// Lengths of the rows of the Jacobian, its columns scaled by the masses, the largest of this configuration and some
// beside it: a row that vanishes here has its length there. Empty where they cannot be had.
Vector row_lengths(const ConstrainedSystem& system, double t, const Vector& q);

// `usual`: lengths that the rows have had, none for those of this configuration. A row that vanishes is as bad as two
// that line up, and shows only against what it was.
Conditioning conditioning_at(const ConstrainedSystem& system, double t, const Vector& q, const Vector& usual = {});

// The same at a configuration that has nothing to do with the mechanism's: rows that depend on each other here do so
// anywhere.
Conditioning conditioning_anywhere(const ConstrainedSystem& system, double t);

// "O, x", "O, y" and 3 more
std::string names_of(const Conditioning& conditioning);

}  // namespace raak

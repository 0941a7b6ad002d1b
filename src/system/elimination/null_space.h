// Accelerations in the null space of the constraints, on the tape: a = p + N z with G p = bias, G N = 0, and
// (N'MN) z = N'(f - M p). G is eliminated in blocks of one or two rows (the two rows of a planar loop closure are never
// singular one by one when the loop is not), with pivot columns chosen once at a given configuration (pivot_plan.h).
// With few degrees of freedom this takes fewer operations than the Schur complement G M^-1 G'; structural zeros cost
// nothing. Garcia de Jalon and Bayo, Kinematic and Dynamic Simulation of Multibody Systems, 1994, 5.2.
#pragma once
#include <vector>

#include "system/elimination/elimination.h"
#include "system/elimination/pivot_plan.h"

namespace raak {

// The columns of G that a plan pivots on, G_D, in block factors.
class RowElimination {
 public:
  RowElimination(const std::vector<Gradient>& G, int columns, const PivotPlan& plan);

  // G_D x = r: x at the pivot columns, zero elsewhere.
  Reals solve(Reals r) const;
  // G_D' x = r, of which the pivot columns are read.
  Reals solve_transposed(const Reals& r) const;
  // The columns of N: the motion of q for each independent component.
  std::vector<Reals> null_space() const;
  // Of the blocks, in the order of the plan.
  const Reals& determinants() const { return determinants_; }

 private:
  struct Inverse {
    Recorded a, b, c, d;  // of [a b; c d] its entries over its determinant; of one pivot a = 1 / pivot
  };
  // (upper, lower) := B^-1 (upper, lower) for block p; one pivot has no lower.
  void apply_inverse(std::size_t p, Recorded& upper, Recorded* lower) const;
  void factor(const PivotPlan::Block& block);
  void eliminate(std::size_t p, Reals& row) const;
  // Calls f(block, place in it) for each pivot of the blocks from p on.
  template <class F>
  void for_each_pivot(std::size_t p, F&& f) const;

  const PivotPlan& plan_;
  std::size_t columns_;
  std::vector<Reals> A_;  // row by row
  std::vector<Inverse> inverse_;
  Reals determinants_;
};

// M and G at one configuration, eliminated; solves M a + G' lambda = f, G a = bias for any number of right-hand sides.
class NullSpace {
 public:
  NullSpace(const SymmetricEntries& M, const std::vector<Gradient>& G, const PivotPlan& plan);

  const RowElimination& rows() const { return rows_; }
  const std::vector<Reals>& directions() const { return N_; }
  // N'MN.
  const SymmetricEntries& reduced_mass() const { return reduced_; }
  // Smallest determinant of a block relative to its reference.
  const Recorded& pivot() const { return pivot_; }

  Reals solve(const Reals& f, const Reals& bias) const;
  // The multipliers that belong to accelerations.
  Reals multipliers(const Reals& f, const Reals& a) const;

 private:
  const SymmetricEntries& M_;
  RowElimination rows_;
  std::vector<Reals> N_, MN_;
  SymmetricEntries reduced_;
  SparseLdl factors_;
  Recorded pivot_;
};

}  // namespace raak

// Solves M a + G' lambda = f, G a = bias on the tape, for sizes known at run time: by the Schur complement G M^-1 G'
// with sparse LDL' factors in minimum-degree order, or in the null space of G (null_space.h). Structural zeros cost
// nothing. Duff, Erisman and Reid, Direct Methods for Sparse Matrices, 2nd ed., Oxford 2017, chapter 10.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "base/derivative.h"
#include "system/null_space.h"

namespace raak {

using Reals = std::vector<Recorded>;

// The entries of a symmetric matrix that are not structurally zero; (i, j) and (j, i) are the same one.
class SymmetricEntries {
 public:
  explicit SymmetricEntries(int size) : size_(size) {}
  int size() const { return size_; }
  Recorded& operator()(int i, int j) { return entries_.try_emplace(key(i, j), 0.0).first->second; }
  Recorded at(int i, int j) const;
  // By (row, column) with row >= column.
  const std::map<std::pair<int, int>, Recorded>& all() const { return entries_; }
  Reals times(const Reals& x) const;

 private:
  static std::pair<int, int> key(int i, int j) { return i >= j ? std::pair{i, j} : std::pair{j, i}; }
  int size_;
  std::map<std::pair<int, int>, Recorded> entries_;
};

// A = L D L' with rows and columns in an order of little fill.
class SparseLdl {
 public:
  explicit SparseLdl(const SymmetricEntries& matrix);
  void solve(Reals& x) const;
  // Smallest D_i / A_ii: the squared sine of the angle between a row and those before it; 0 means dependent rows.
  const Recorded& smallest_pivot() const { return smallest_pivot_; }

 private:
  struct Column {
    int row;
    Recorded inverse_pivot;
    Gradient below;
  };
  std::vector<Column> columns_;
  Recorded smallest_pivot_;
};

struct MotionTerms {
  SymmetricEntries M;
  Reals f;
  std::vector<Gradient> G;  // row by row
  Reals bias;
};

struct MotionSolution {
  Reals a, lambda;  // no lambda from the null space
  Recorded pivot;   // smallest relative pivot
};

MotionSolution solve_by_schur_complement(const MotionTerms& terms);
MotionSolution solve_in_null_space(const MotionTerms& terms, const PivotPlan& plan);

// The change of q (or v), shortest in the metric of M, that removes a residual of the rows G to first order.
Reals shortest_correction(const SymmetricEntries& M, const std::vector<Gradient>& G, const Reals& residual);

}  // namespace raak

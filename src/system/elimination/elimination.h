// Sparse elimination on the tape, for sizes known at run time: LDL' factors in minimum-degree order, and the Schur
// complement G M^-1 G' of constraint rows. Structural zeros cost nothing. Duff, Erisman and Reid, Direct Methods for
// Sparse Matrices, 2nd ed., Oxford 2017, chapter 10.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "base/tape/derivative.h"

namespace raak {

using Reals = std::vector<Recorded>;

Recorded dot(const Reals& x, const Reals& y);

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

// The rows G eliminated by their Schur complement.
class SchurElimination {
 public:
  SchurElimination(const SymmetricEntries& M, const std::vector<Gradient>& G);

  // M a + G' lambda = f, G a = bias.
  struct Solution {
    Reals a, lambda;
  };
  Solution solve(const Reals& f, const Reals& bias) const;
  // The change of q (or v) that removes a residual of the rows to first order, shortest in the metric of M.
  Reals correction(const Reals& residual) const;
  const Recorded& smallest_pivot() const { return complement_.smallest_pivot(); }

 private:
  // lambda := (G M^-1 G')^-1 lambda and x := x - M^-1 G' lambda.
  void reduce(Reals& lambda, Reals& x) const;

  const std::vector<Gradient>& G_;
  SparseLdl M_;
  std::vector<Reals> W_;  // columns of M^-1 G'
  SparseLdl complement_;
};

}  // namespace raak

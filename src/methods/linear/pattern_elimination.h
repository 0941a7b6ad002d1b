// Unsymmetric matrices whose nonzero entries lie in the same symmetric places every time, A = L U in an order of little
// fill that is found once, without pivoting: for matrices whose diagonal blocks dominate, and saddle points of such
// whose zero diagonal entries come after all that they are tied to. Numbers are complex and in lanes, one matrix in
// each. Duff, Erisman and Reid, Direct Methods for Sparse Matrices, 2nd ed., Oxford 2017, chapters 10 and 13.
#pragma once
#include <vector>

#include "methods/collocation/complex_pack.h"

namespace raak {

class PatternElimination {
 public:
  // `neighbours` of each unknown: those that share an entry with it, both ways, ascending, without itself. Unknowns of
  // the early group are eliminated before those neighbours that are not in it.
  PatternElimination(std::vector<std::vector<int>> neighbours, const std::vector<char>& early);

  int size() const { return static_cast<int>(node_of_.size()); }
  // Numbers of a matrix, and where an entry of the pattern is among them.
  std::size_t numbers() const { return numbers_; }
  std::size_t place(int row, int column) const;
  // Complex multiplications of factors and of a solution.
  double factor_products() const { return factor_products_; }
  double solution_products() const { return static_cast<double>(numbers_); }

  // In place; `scratch` has size() numbers. The diagonal is left inverted.
  RAAK_INLINE void factor(ComplexPack* values, ComplexPack* scratch) const {
    for (const Row& row : rows_) {
      const int* const column = columns_.data() + row.begin;
      ComplexPack* const value = values + row.begin;
      for (int k = 0; k < row.length; ++k) scratch[column[k]] = value[k];
      for (int k = 0; k < row.below; ++k) {
        const Row& above = rows_[static_cast<std::size_t>(column[k])];
        const int* const from = columns_.data() + above.begin;
        const ComplexPack* const upper = values + above.begin;
        const ComplexPack share = product(scratch[column[k]], upper[above.below]);
        scratch[column[k]] = share;
        for (int j = above.below + 1; j < above.length; ++j) subtract_product(scratch[from[j]], share, upper[j]);
      }
      for (int k = 0; k < row.length; ++k) value[k] = scratch[column[k]];
      value[row.below] = inverse(value[row.below]);
    }
  }
  // x has size() numbers by unknown, the right-hand sides at first; `scratch` the same.
  RAAK_INLINE void solve(const ComplexPack* values, ComplexPack* x, ComplexPack* scratch) const {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      const int* const column = columns_.data() + row.begin;
      const ComplexPack* const value = values + row.begin;
      ComplexPack sum = x[row.unknown];
      for (int k = 0; k < row.below; ++k) subtract_product(sum, value[k], scratch[column[k]]);
      scratch[i] = sum;
    }
    for (std::size_t i = rows_.size(); i-- > 0;) {
      const Row& row = rows_[i];
      const int* const column = columns_.data() + row.begin;
      const ComplexPack* const value = values + row.begin;
      ComplexPack sum = scratch[i];
      for (int k = row.below + 1; k < row.length; ++k) subtract_product(sum, value[k], scratch[column[k]]);
      scratch[i] = product(sum, value[row.below]);
      x[row.unknown] = scratch[i];
    }
  }

 private:
  // In the order of elimination; its columns are ascending, and the diagonal follows `below` of them.
  struct Row {
    int begin, length, below, unknown;
  };
  std::vector<Row> rows_;
  std::vector<int> columns_, node_of_;
  std::size_t numbers_ = 0;
  double factor_products_ = 0.0;
};

}  // namespace raak

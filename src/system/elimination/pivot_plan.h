// Which columns of G are eliminated, in blocks of one or two rows, and which stay independent: chosen by pivoting on G
// at one configuration, columns weighted by 1/sqrt(M_jj), for large determinants and little fill.
#pragma once
#include <array>
#include <vector>

#include "base/linear/linear.h"

namespace raak {

struct PivotPlan {
  struct Block {
    std::array<int, 2> row, column;
    int size;          // 1 or 2
    double reference;  // its determinant at the configuration where it was chosen
  };
  std::vector<Block> blocks;
  std::vector<int> independent;  // columns that are no pivot

  // The same columns in the same order, whatever the configuration.
  bool eliminates_like(const PivotPlan& other) const;
};

// Keeps its storage, so that choosing again takes nothing from the heap.
class PivotChooser {
 public:
  // Determinants of at least good_share of the largest count as equally good: then less fill decides.
  PivotChooser(int rows, int columns, double good_share);

  // False where the rows are dependent.
  bool choose(const Matrix& G, const Vector& mass_diagonal);
  const PivotPlan& plan() const { return plan_; }
  // How independent the rows of a block are at least, relative to their lengths as they were: near 0 they are
  // dependent.
  double weakest() const { return weakest_; }

 private:
  struct Candidate {
    PivotPlan::Block block{};
    int fill = 0;
    double size = 0.0;  // |determinant|, weighted
  };
  bool free(Eigen::Index column) const { return !column_done_[static_cast<std::size_t>(column)]; }
  bool share_columns(Eigen::Index r, Eigen::Index s) const;
  int fill(Eigen::Index r, Eigen::Index s, Eigen::Index x, Eigen::Index y) const;
  Candidate best_single(Eigen::Index r) const;
  Candidate best_pair(Eigen::Index r) const;
  double independence(const Candidate& of) const;
  void take(const PivotPlan::Block& block);

  double good_share_;
  // G with its columns divided by root_mass_, eliminated as far as pivots are chosen.
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> weighted_;
  Vector root_mass_;
  Vector length_;  // of the weighted rows
  std::vector<char> row_done_, column_done_;
  mutable std::vector<Eigen::Index> pair_columns_;  // where one of a pair of rows has an entry
  mutable std::vector<double> pair_sizes_;          // of the determinants of each two of them
  PivotPlan plan_;
  double weakest_ = 0.0;
};

// Pivots where saving operations comes first. No plan (no blocks) where the rows are dependent.
PivotPlan choose_pivots(const Matrix& G, const Vector& mass_diagonal);

}  // namespace raak

// Symmetric positive definite systems with small dense blocks over a graph, A = L D L' in an order of little fill. The
// order and the whole list of operations are found once; factors and solutions are computed for one state or for four
// lanes. Duff, Erisman and Reid, Direct Methods for Sparse Matrices, 2nd ed., Oxford 2017, chapters 10 and 12.
#pragma once
#include <vector>

#include "base/pack.h"

namespace raak {

// Nodes are numbered in the order of their elimination. What belongs to node j lies at fronts[front[j]]: the lower half
// of its diagonal block row by row (after the elimination: of the inverse of the pivot block), the diagonal entries as
// they were at first, and the right-hand side (after the way back: the solution).
struct BlockPlan {
  std::vector<int> node_of;   // of a block in the order of the caller
  std::vector<int> block_of;  // its inverse
  std::vector<int> rows;      // of each node
  std::vector<int> front;
  // Column j of L has blocks first[j] to first[j + 1]: in row target[i], rows x rows[j] numbers at blocks[block[i]].
  std::vector<int> first, target, block;
  int blocks_size = 0;
  // What eliminating node j reads, one number after the other from stream[stream_at[j]]: see block_kernels.h.
  std::vector<int> stream, stream_at;

  int nodes() const { return static_cast<int>(rows.size()); }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  // The number of the block in row p, column q, both nodes.
  int find(int p, int q) const;
};

// Numbers of a node in `fronts`.
inline int front_size(int rows) {
  return rows * (rows + 1) / 2 + 2 * rows;
}

// `rows` of each block, `neighbours` of each block (both ways, without itself), and an early group of blocks that are
// eliminated before all blocks that are not and that this would change. Minimum degree.
BlockPlan plan_elimination(const std::vector<int>& rows, std::vector<std::vector<int>> neighbours,
                           const std::vector<char>& early);
// When the caller has set `front`.
void write_stream(BlockPlan& plan);

// Eliminates node j where rows may depend on each other: a row whose pivot is below `threshold` of its original
// diagonal entry is left out, and noted. Where they do not: eliminate_node and backward_node of block_kernels.h.
struct SkippedRow {
  int node, row;
};
void eliminate_dependent(const BlockPlan& plan, int j, double* fronts, double* blocks, double threshold,
                         std::vector<SkippedRow>& skipped);
// The same with the rows to leave out given, those of `rows` (of the node) that `leaves_out` marks, and `share` of its
// original diagonal entry added to each pivot.
void eliminate_without(const BlockPlan& plan, int j, double* fronts, double* blocks, const int* rows,
                       const std::vector<char>& leaves_out, double share);
// With the factors of before and new right-hand sides, node after node; then downwards as always.
void forward(const BlockPlan& plan, int j, double* fronts, const double* blocks);

}  // namespace raak

// Accelerations in the null space of the constraints: a = p + N z with G p = bias, G N = 0, and (N'MN) z = N'(f - M p).
// G is eliminated in blocks of one or two rows (the two rows of a planar loop closure are never singular one by one
// when the loop is not), with pivot columns chosen once at a given pose. With few degrees of freedom this takes fewer
// operations than the Schur complement G M^-1 G'. Garcia de Jalon and Bayo, Kinematic and Dynamic Simulation of
// Multibody Systems, 1994, 5.2.
#pragma once
#include <array>
#include <vector>

#include "base/linear.h"
#include "base/small_dense.h"

namespace raak {

struct PivotPlan {
  struct Block {
    std::array<int, 2> row, column;
    int size;          // 1 or 2
    double reference;  // its determinant at the pose where it was chosen
  };
  std::vector<Block> blocks;
  std::vector<int> independent;  // columns that are no pivot
};

// Pivots for G (rows x columns) at one pose, columns weighted by 1/sqrt(M_jj): large determinants, little fill.
// No plan (no blocks) where the rows are dependent there.
PivotPlan choose_pivots(const Matrix& G, const Vector& mass_diagonal);

template <class Real, int n>
struct NullSpaceSolution {
  Column<Real, n> a;
  Real pivot;  // smallest determinant of a block relative to its reference
};

template <class Real, int n, int m>
NullSpaceSolution<Real, n> solve_in_null_space(const Symmetric<Real, n>& M, const Column<Real, n>& f,
                                               const Dense<Real, m, n>& G, const Column<Real, m>& bias,
                                               const PivotPlan& plan) {
  const auto at = [](auto& x, int i) -> auto& {
    return x[static_cast<std::size_t>(i)];
  };
  constexpr int columns = n + 1;  // the last one is the right-hand side
  Dense<Real, m, columns> A;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) A(i, j) = G(i, j);
    A(i, n) = at(bias, i);
  }
  Real pivot(1.0);
  std::vector<char> eliminated(columns, 0);
  for (std::size_t p = 0; p < plan.blocks.size(); ++p) {
    const PivotPlan::Block& block = plan.blocks[p];
    const int r = block.row[0];
    const int s = block.row[1];
    const int x = block.column[0];
    const int y = block.column[1];
    at(eliminated, x) = 1;
    if (block.size == 2) at(eliminated, y) = 1;
    if (block.size == 1) {
      const Real inverse = Real(1.0) / A(r, x);
      pivot = min(pivot, abs(A(r, x) * (1.0 / block.reference)));
      for (int j = 0; j < columns; ++j)
        if (!at(eliminated, j)) A(r, j) = A(r, j) * inverse;
    } else {
      const Real determinant = A(r, x) * A(s, y) - A(r, y) * A(s, x);
      const Real inverse = Real(1.0) / determinant;
      pivot = min(pivot, abs(determinant * (1.0 / block.reference)));
      const Real a = A(r, x) * inverse;
      const Real b = A(r, y) * inverse;
      const Real c = A(s, x) * inverse;
      const Real d = A(s, y) * inverse;
      for (int j = 0; j < columns; ++j) {
        if (at(eliminated, j)) continue;
        const Real upper = A(r, j);
        const Real lower = A(s, j);
        A(r, j) = d * upper - b * lower;
        A(s, j) = a * lower - c * upper;
      }
    }
    for (std::size_t q = p + 1; q < plan.blocks.size(); ++q) {
      for (int k = 0; k < plan.blocks[q].size; ++k) {
        const int row = at(plan.blocks[q].row, k);
        const Real u = A(row, x);
        const Real v = block.size == 2 ? A(row, y) : Real(0.0);
        for (int j = 0; j < columns; ++j) {
          if (at(eliminated, j)) continue;
          A(row, j) -= u * A(r, j);
          if (block.size == 2) A(row, j) -= v * A(s, j);
        }
      }
    }
  }
  // Back substitution: the dependent components of p and of each column of N.
  constexpr int freedoms = n - m;
  std::array<Column<Real, n>, freedoms> N;
  Column<Real, n> particular;
  particular.fill(Real(0.0));
  for (auto& column : N) column.fill(Real(0.0));
  for (int k = 0; k < freedoms; ++k) at(at(N, k), at(plan.independent, k)) = Real(1.0);
  for (std::size_t p = plan.blocks.size(); p-- > 0;) {
    const PivotPlan::Block& block = plan.blocks[p];
    for (int k = 0; k < block.size; ++k) {
      const int row = at(block.row, k);
      const int target = at(block.column, k);
      Real value = A(row, n);
      std::array<Real, freedoms> direction;
      for (int d = 0; d < freedoms; ++d) at(direction, d) = -A(row, at(plan.independent, d));
      for (std::size_t q = p + 1; q < plan.blocks.size(); ++q) {
        for (int e = 0; e < plan.blocks[q].size; ++e) {
          const int column = at(plan.blocks[q].column, e);
          value -= A(row, column) * at(particular, column);
          for (int d = 0; d < freedoms; ++d) at(direction, d) -= A(row, column) * at(at(N, d), column);
        }
      }
      at(particular, target) = value;
      for (int d = 0; d < freedoms; ++d) at(at(N, d), target) = at(direction, d);
    }
  }
  // The reduced system of the degrees of freedom.
  std::array<Column<Real, n>, freedoms> MN;
  Symmetric<Real, freedoms> reduced;
  Column<Real, freedoms> z;
  for (int d = 0; d < freedoms; ++d) {
    for (int i = 0; i < n; ++i) {
      Real sum(0.0);
      for (int j = 0; j < n; ++j) sum += M(i, j) * at(at(N, d), j);
      at(at(MN, d), i) = sum;
    }
    Real right(0.0);
    for (int i = 0; i < n; ++i) right += at(at(N, d), i) * at(f, i) - at(at(MN, d), i) * at(particular, i);
    at(z, d) = right;
    for (int e = 0; e <= d; ++e) {
      Real sum(0.0);
      for (int i = 0; i < n; ++i) sum += at(at(N, e), i) * at(at(MN, d), i);
      reduced(d, e) = sum;
    }
  }
  Ldl<Real, freedoms>(reduced).solve(z);
  NullSpaceSolution<Real, n> solution{particular, pivot};
  for (int d = 0; d < freedoms; ++d)
    for (int i = 0; i < n; ++i) at(solution.a, i) += at(at(N, d), i) * at(z, d);
  return solution;
}

}  // namespace raak

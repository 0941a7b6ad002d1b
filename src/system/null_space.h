// Accelerations in the null space of the constraints: a = p + N z with G p = bias, G N = 0, and (N'MN) z = N'(f - M p).
// G is eliminated in blocks of one or two rows (the two rows of a planar loop closure are never singular one by one
// when the loop is not), with pivot columns chosen once at a given pose (pivot_plan.h). With few degrees of freedom
// this takes fewer operations than the Schur complement G M^-1 G'. Garcia de Jalon and Bayo, Kinematic and Dynamic
// Simulation of Multibody Systems, 1994, 5.2.
#pragma once
#include <array>
#include <vector>

#include "base/small_dense.h"
#include "system/pivot_plan.h"

namespace raak {

// The columns of G that a plan pivots on, G_D, in block factors: solves G_D x = r for any number of r.
template <class Real, int n, int m>
class RowElimination {
 public:
  static constexpr int freedoms = n - m;
  static_assert(freedoms >= 0);

  RowElimination(const Dense<Real, m, n>& G, const PivotPlan& plan) : plan_(plan), A_(G) {
    for (std::size_t p = 0; p < plan.blocks.size(); ++p) {
      factor(plan.blocks[p]);
      for (std::size_t q = p + 1; q < plan.blocks.size(); ++q)
        for (int k = 0; k < plan.blocks[q].size; ++k) eliminate(p, at(plan.blocks[q].row, k));
    }
  }

  // x at the pivot columns, zero elsewhere.
  Column<Real, n> solve(Column<Real, m> r) const {
    for (std::size_t p = 0; p < plan_.blocks.size(); ++p) {
      const PivotPlan::Block& block = plan_.blocks[p];
      const Inverse& i = inverse_[p];
      Real& first = at(r, block.row[0]);
      if (block.size == 1) {
        first = first * i.a;
      } else {
        Real& second = at(r, block.row[1]);
        const Real upper = first;
        const Real lower = second;
        first = i.d * upper - i.b * lower;
        second = i.a * lower - i.c * upper;
      }
      for (std::size_t q = p + 1; q < plan_.blocks.size(); ++q)
        for (int k = 0; k < plan_.blocks[q].size; ++k) {
          const int row = at(plan_.blocks[q].row, k);
          for (int e = 0; e < block.size; ++e) at(r, row) -= A_(row, at(block.column, e)) * at(r, at(block.row, e));
        }
    }
    Column<Real, n> x;
    x.fill(Real(0.0));
    for (std::size_t p = plan_.blocks.size(); p-- > 0;) {
      const PivotPlan::Block& block = plan_.blocks[p];
      for (int k = 0; k < block.size; ++k) {
        Real value = at(r, at(block.row, k));
        for (std::size_t q = p + 1; q < plan_.blocks.size(); ++q)
          for (int e = 0; e < plan_.blocks[q].size; ++e) {
            const int column = at(plan_.blocks[q].column, e);
            value -= A_(at(block.row, k), column) * at(x, column);
          }
        at(x, at(block.column, k)) = value;
      }
    }
    return x;
  }
  // The columns of N: the motion of q for each independent component.
  std::array<Column<Real, n>, freedoms> null_space() const {
    std::array<Column<Real, n>, freedoms> N;
    for (int k = 0; k < freedoms; ++k) {
      const int independent = at(plan_.independent, k);
      Column<Real, m> r;
      for (int i = 0; i < m; ++i) at(r, i) = -A_(i, independent);
      at(N, k) = solve(r);
      at(at(N, k), independent) = Real(1.0);
    }
    return N;
  }
  // Of the blocks, in the order of the plan.
  const std::vector<Real>& determinants() const { return determinants_; }

 private:
  struct Inverse {
    Real a, b, c, d;  // of [a b; c d] its entries over its determinant; of one pivot a = 1 / pivot
  };
  template <class Array>
  static auto& at(Array& x, int i) {
    return x[static_cast<std::size_t>(i)];
  }
  bool is_later_pivot(std::size_t p, int j) const {
    for (std::size_t q = p; q < plan_.blocks.size(); ++q)
      for (int k = 0; k < plan_.blocks[q].size; ++k)
        if (at(plan_.blocks[q].column, k) == j) return true;
    return false;
  }
  void factor(const PivotPlan::Block& block) {
    const std::size_t next = inverse_.size() + 1;
    const int r = block.row[0];
    const int s = block.row[1];
    const int x = block.column[0];
    const int y = block.column[1];
    if (block.size == 1) {
      determinants_.push_back(A_(r, x));
      inverse_.push_back({Real(1.0) / A_(r, x), Real(0.0), Real(0.0), Real(0.0)});
      for (int j = 0; j < n; ++j)
        if (is_later_pivot(next, j)) A_(r, j) = A_(r, j) * inverse_.back().a;
      return;
    }
    determinants_.push_back(A_(r, x) * A_(s, y) - A_(r, y) * A_(s, x));
    const Real inverse = Real(1.0) / determinants_.back();
    inverse_.push_back({A_(r, x) * inverse, A_(r, y) * inverse, A_(s, x) * inverse, A_(s, y) * inverse});
    const Inverse& i = inverse_.back();
    for (int j = 0; j < n; ++j) {
      if (!is_later_pivot(next, j)) continue;
      const Real upper = A_(r, j);
      const Real lower = A_(s, j);
      A_(r, j) = i.d * upper - i.b * lower;
      A_(s, j) = i.a * lower - i.c * upper;
    }
  }
  // Subtracts block p from a later row; what it multiplied stays in the columns of the block.
  void eliminate(std::size_t p, int row) {
    const PivotPlan::Block& block = plan_.blocks[p];
    for (int j = 0; j < n; ++j)
      if (is_later_pivot(p + 1, j))
        for (int e = 0; e < block.size; ++e) A_(row, j) -= A_(row, at(block.column, e)) * A_(at(block.row, e), j);
  }

  const PivotPlan& plan_;
  Dense<Real, m, n> A_;
  std::vector<Inverse> inverse_;
  std::vector<Real> determinants_;
};

// a = p + N z with (N'MN) z = N'(f - M p).
template <class Real, int n, std::size_t freedoms>
Column<Real, n> accelerate_in_null_space(const Symmetric<Real, n>& M, const Column<Real, n>& f,
                                         const std::array<Column<Real, n>, freedoms>& N,
                                         const Column<Real, n>& particular) {
  std::array<Column<Real, n>, freedoms> MN;
  Symmetric<Real, static_cast<int>(freedoms)> reduced;
  Column<Real, static_cast<int>(freedoms)> z;
  for (std::size_t d = 0; d < freedoms; ++d) {
    for (int i = 0; i < n; ++i) {
      Real sum(0.0);
      for (int j = 0; j < n; ++j) sum += M(i, j) * N[d][static_cast<std::size_t>(j)];
      MN[d][static_cast<std::size_t>(i)] = sum;
    }
    Real right(0.0);
    for (std::size_t i = 0; i < n; ++i) right += N[d][i] * f[i] - MN[d][i] * particular[i];
    z[d] = right;
    for (std::size_t e = 0; e <= d; ++e) {
      Real sum(0.0);
      for (std::size_t i = 0; i < n; ++i) sum += N[e][i] * MN[d][i];
      reduced(static_cast<int>(d), static_cast<int>(e)) = sum;
    }
  }
  Ldl<Real, static_cast<int>(freedoms)>(reduced).solve(z);
  Column<Real, n> a = particular;
  for (std::size_t d = 0; d < freedoms; ++d)
    for (std::size_t i = 0; i < n; ++i) a[i] += N[d][i] * z[d];
  return a;
}

template <class Real, int n>
struct NullSpaceSolution {
  Column<Real, n> a;
  Real pivot;  // smallest determinant of a block relative to its reference
};

template <class Real, int n, int m>
NullSpaceSolution<Real, n> solve_in_null_space(const Symmetric<Real, n>& M, const Column<Real, n>& f,
                                               const Dense<Real, m, n>& G, const Column<Real, m>& bias,
                                               const PivotPlan& plan) {
  const RowElimination<Real, n, m> rows(G, plan);
  Real pivot(1.0);
  for (std::size_t p = 0; p < plan.blocks.size(); ++p)
    pivot = min(pivot, abs(rows.determinants()[p] * (1.0 / plan.blocks[p].reference)));
  return {accelerate_in_null_space<Real, n>(M, f, rows.null_space(), rows.solve(bias)), pivot};
}

}  // namespace raak

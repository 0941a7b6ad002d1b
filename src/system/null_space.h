// Accelerations in the null space of the constraints: a = p + N z with G p = bias, G N = 0, and (N'MN) z = N'(f - M p).
// G is eliminated in blocks of one or two rows (the two rows of a planar loop closure are never singular one by one
// when the loop is not), with pivot columns chosen once at a given pose (pivot_plan.h). With few degrees of freedom
// this takes fewer operations than the Schur complement G M^-1 G'. Garcia de Jalon and Bayo, Kinematic and Dynamic
// Simulation of Multibody Systems, 1994, 5.2.
#pragma once
#include <array>
#include <optional>
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

// M and G at one pose, eliminated; solves M a + G' lambda = f, G a = bias for any number of right-hand sides.
template <class Real, int n, int m>
class NullSpace {
  static constexpr int freedoms = n - m;

 public:
  NullSpace(const Symmetric<Real, n>& M, const Dense<Real, m, n>& G, const PivotPlan& plan)
      : rows_(G, plan), N_(rows_.null_space()), pivot_(1.0) {
    for (std::size_t p = 0; p < plan.blocks.size(); ++p)
      pivot_ = min(pivot_, abs(rows_.determinants()[p] * (1.0 / plan.blocks[p].reference)));
    Symmetric<Real, freedoms> reduced;
    for (int d = 0; d < freedoms; ++d) {
      for (int i = 0; i < n; ++i) {
        Real sum(0.0);
        for (int j = 0; j < n; ++j) sum += M(i, j) * at(at(N_, d), j);
        at(at(MN_, d), i) = sum;
      }
      for (int e = 0; e <= d; ++e) {
        Real sum(0.0);
        for (int i = 0; i < n; ++i) sum += at(at(N_, e), i) * at(at(MN_, d), i);
        reduced(d, e) = sum;
      }
    }
    reduced_.emplace(reduced);
  }
  const RowElimination<Real, n, m>& rows() const { return rows_; }
  const std::array<Column<Real, n>, freedoms>& directions() const { return N_; }
  // Smallest determinant of a block relative to its reference.
  const Real& pivot() const { return pivot_; }

  Column<Real, n> solve(const Column<Real, n>& f, const Column<Real, m>& bias) const {
    Column<Real, n> a = rows_.solve(bias);
    Column<Real, freedoms> z;
    for (int d = 0; d < freedoms; ++d) {
      Real right(0.0);
      for (int i = 0; i < n; ++i) right += at(at(N_, d), i) * at(f, i) - at(at(MN_, d), i) * at(a, i);
      at(z, d) = right;
    }
    reduced_->solve(z);
    for (int d = 0; d < freedoms; ++d)
      for (int i = 0; i < n; ++i) at(a, i) += at(at(N_, d), i) * at(z, d);
    return a;
  }

 private:
  template <class Array>
  static auto& at(Array& x, int i) {
    return x[static_cast<std::size_t>(i)];
  }

  RowElimination<Real, n, m> rows_;
  std::array<Column<Real, n>, freedoms> N_, MN_;
  std::optional<Ldl<Real, freedoms>> reduced_;
  Real pivot_;
};

}  // namespace raak

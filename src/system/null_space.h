// Accelerations in the null space of the constraints: a = p + N z with G p = bias, G N = 0, and (N'MN) z = N'(f - M p).
// G is eliminated in blocks of one or two rows (the two rows of a planar loop closure are never singular one by one
// when the loop is not), with pivot columns chosen once at a given pose. With few degrees of freedom this takes fewer
// operations than the Schur complement G M^-1 G'. Garcia de Jalon and Bayo, Kinematic and Dynamic Simulation of
// Multibody Systems, 1994, 5.2.
#pragma once
#include <array>
#include <optional>
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

// M and G at one pose, eliminated; solves M a + G' lambda = f, G a = bias for any number of right-hand sides.
template <class Real, int n, int m>
class NullSpace {
  static constexpr int freedoms = n - m;

 public:
  NullSpace(const Symmetric<Real, n>& M, const Dense<Real, m, n>& G, const PivotPlan& plan)
      : plan_(plan), A_(G), pivot_(1.0) {
    eliminate();
    find_directions();
    reduce(M);
  }
  // Smallest determinant of a block relative to its reference.
  const Real& pivot() const { return pivot_; }

  Column<Real, n> solve(const Column<Real, n>& f, Column<Real, m> bias) const {
    Column<Real, n> a = particular(bias);
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

  void eliminate() {
    std::vector<char> eliminated(n, 0);
    for (std::size_t p = 0; p < plan_.blocks.size(); ++p) {
      const PivotPlan::Block& block = plan_.blocks[p];
      for (int k = 0; k < block.size; ++k) at(eliminated, at(block.column, k)) = 1;
      invert(block);
      for (int j = 0; j < n; ++j) {
        if (at(eliminated, j)) continue;
        apply_inverse(p, A_(block.row[0], j), block.size == 2 ? &A_(block.row[1], j) : nullptr);
        for_rows_below(p, [&](int row) { A_(row, j) = below(p, row, A_(row, j), [&](int r) { return A_(r, j); }); });
      }
    }
  }
  void invert(const PivotPlan::Block& block) {
    const int r = block.row[0];
    const int s = block.row[1];
    const int x = block.column[0];
    const int y = block.column[1];
    const Real determinant = block.size == 1 ? A_(r, x) : A_(r, x) * A_(s, y) - A_(r, y) * A_(s, x);
    const Real inverse = Real(1.0) / determinant;
    pivot_ = min(pivot_, abs(determinant * (1.0 / block.reference)));
    if (block.size == 1) inverses_.push_back({inverse, {}, {}, {}});
    else inverses_.push_back({A_(s, y) * inverse, A_(r, y) * inverse, A_(s, x) * inverse, A_(r, x) * inverse});
  }
  void apply_inverse(std::size_t p, Real& upper, Real* lower) const {
    const Inverse& i = inverses_[p];
    const Real u = upper;
    upper = i.a * u;
    if (lower == nullptr) return;
    const Real l = *lower;
    upper = i.a * u - i.b * l;
    *lower = i.d * l - i.c * u;
  }
  template <class F>
  void for_rows_below(std::size_t p, F&& f) const {
    for (std::size_t q = p + 1; q < plan_.blocks.size(); ++q)
      for (int k = 0; k < plan_.blocks[q].size; ++k) f(at(plan_.blocks[q].row, k));
  }
  // The entry of a row below block p, less what the rows of the block take away.
  template <class Entry>
  Real below(std::size_t p, int row, Real value, Entry&& entry) const {
    const PivotPlan::Block& block = plan_.blocks[p];
    for (int k = 0; k < block.size; ++k) value -= A_(row, at(block.column, k)) * entry(at(block.row, k));
    return value;
  }
  // G p = bias with zeros in the independent columns.
  Column<Real, n> particular(Column<Real, m>& bias) const {
    for (std::size_t p = 0; p < plan_.blocks.size(); ++p) {
      const PivotPlan::Block& block = plan_.blocks[p];
      apply_inverse(p, at(bias, block.row[0]), block.size == 2 ? &at(bias, block.row[1]) : nullptr);
      for_rows_below(
          p, [&](int row) { at(bias, row) = below(p, row, at(bias, row), [&](int r) { return at(bias, r); }); });
    }
    Column<Real, n> x;
    x.fill(Real(0.0));
    substitute_back(x, [&](int row) { return at(bias, row); });
    return x;
  }
  // The columns of N: one in an independent column, the dependent ones follow.
  void find_directions() {
    for (int d = 0; d < freedoms; ++d) {
      const int column = at(plan_.independent, d);
      at(N_, d).fill(Real(0.0));
      at(at(N_, d), column) = Real(1.0);
      substitute_back(at(N_, d), [&](int row) { return -A_(row, column); });
    }
  }
  template <class Right>
  void substitute_back(Column<Real, n>& x, Right&& right) const {
    for (std::size_t p = plan_.blocks.size(); p-- > 0;) {
      for (int k = 0; k < plan_.blocks[p].size; ++k) {
        const int row = at(plan_.blocks[p].row, k);
        Real value = right(row);
        for (std::size_t q = p + 1; q < plan_.blocks.size(); ++q)
          for (int e = 0; e < plan_.blocks[q].size; ++e) {
            const int column = at(plan_.blocks[q].column, e);
            value -= A_(row, column) * at(x, column);
          }
        at(x, at(plan_.blocks[p].column, k)) = value;
      }
    }
  }
  // The reduced mass matrix N'MN.
  void reduce(const Symmetric<Real, n>& M) {
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

  struct Inverse {  // [a -b; -c d] of a block, or a alone
    Real a, b, c, d;
  };
  const PivotPlan& plan_;
  Dense<Real, m, n> A_;
  std::vector<Inverse> inverses_;
  std::array<Column<Real, n>, freedoms> N_, MN_;
  std::optional<Ldl<Real, freedoms>> reduced_;
  Real pivot_;
};

}  // namespace raak

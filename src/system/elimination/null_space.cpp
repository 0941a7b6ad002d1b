#include "system/elimination/null_space.h"

#include "base/linear/index.h"

namespace raak {
namespace {

SymmetricEntries reduced(const std::vector<Reals>& N, const std::vector<Reals>& MN) {
  SymmetricEntries result(static_cast<int>(N.size()));
  for (std::size_t d = 0; d < N.size(); ++d)
    for (std::size_t e = 0; e <= d; ++e) {
      const Recorded sum = dot(N[e], MN[d]);
      if (!sum.is_zero()) result(static_cast<int>(d), static_cast<int>(e)) = sum;
    }
  return result;
}

std::vector<Reals> products(const SymmetricEntries& M, const std::vector<Reals>& N) {
  std::vector<Reals> MN;
  for (const Reals& direction : N) MN.push_back(M.times(direction));
  return MN;
}

}  // namespace

template <class F>
void RowElimination::for_each_pivot(std::size_t p, F&& f) const {
  for (; p < plan_.blocks.size(); ++p)
    for (int k = 0; k < plan_.blocks[p].size; ++k) f(z(plan_.blocks[p].row[z(k)]), z(plan_.blocks[p].column[z(k)]));
}

RowElimination::RowElimination(const std::vector<Gradient>& G, int columns, const PivotPlan& plan)
    : plan_(plan), columns_(z(columns)), A_(G.size(), Reals(columns_, Recorded(0.0))) {
  for (std::size_t i = 0; i < G.size(); ++i)
    for (const auto& [j, entry] : G[i]) A_[i][z(j)] = entry;
  for (std::size_t p = 0; p < plan.blocks.size(); ++p) {
    factor(plan.blocks[p]);
    for_each_pivot(p + 1, [&](std::size_t row, std::size_t) { eliminate(p, A_[row]); });
  }
}

void RowElimination::apply_inverse(std::size_t p, Recorded& upper, Recorded* lower) const {
  const Inverse& i = inverse_[p];
  if (lower == nullptr) {
    upper *= i.a;
    return;
  }
  const Recorded first = upper;
  upper = i.d * first - i.b * *lower;
  *lower = i.a * *lower - i.c * first;
}

void RowElimination::factor(const PivotPlan::Block& block) {
  Reals& upper = A_[z(block.row[0])];
  Reals* const lower = block.size == 2 ? &A_[z(block.row[1])] : nullptr;
  const std::size_t x = z(block.column[0]);
  if (lower == nullptr) {
    determinants_.push_back(upper[x]);
    inverse_.push_back({Recorded(1.0) / upper[x], {}, {}, {}});
  } else {
    const std::size_t y = z(block.column[1]);
    determinants_.push_back(upper[x] * (*lower)[y] - upper[y] * (*lower)[x]);
    const Recorded inverse = Recorded(1.0) / determinants_.back();
    inverse_.push_back({upper[x] * inverse, upper[y] * inverse, (*lower)[x] * inverse, (*lower)[y] * inverse});
  }
  const std::size_t p = inverse_.size() - 1;
  for_each_pivot(p + 1, [&](std::size_t, std::size_t j) {
    apply_inverse(p, upper[j], lower != nullptr ? &(*lower)[j] : nullptr);
  });
}

// Subtracts block p from a later row; what it multiplied stays in the columns of the block.
void RowElimination::eliminate(std::size_t p, Reals& row) const {
  const PivotPlan::Block& block = plan_.blocks[p];
  for (int e = 0; e < block.size; ++e) {
    const Recorded factor = row[z(block.column[z(e)])];
    if (factor.is_zero()) continue;
    const Reals& from = A_[z(block.row[z(e)])];
    for_each_pivot(p + 1, [&](std::size_t, std::size_t j) { row[j] -= factor * from[j]; });
  }
}

Reals RowElimination::solve(Reals r) const {
  for (std::size_t p = 0; p < plan_.blocks.size(); ++p) {
    const PivotPlan::Block& block = plan_.blocks[p];
    apply_inverse(p, r[z(block.row[0])], block.size == 2 ? &r[z(block.row[1])] : nullptr);
    for_each_pivot(p + 1, [&](std::size_t row, std::size_t) {
      for (int e = 0; e < block.size; ++e) r[row] -= A_[row][z(block.column[z(e)])] * r[z(block.row[z(e)])];
    });
  }
  Reals x(columns_, Recorded(0.0));
  for (std::size_t p = plan_.blocks.size(); p-- > 0;) {
    const PivotPlan::Block& block = plan_.blocks[p];
    for (int k = 0; k < block.size; ++k) {
      const std::size_t row = z(block.row[z(k)]);
      Recorded value = r[row];
      for_each_pivot(p + 1, [&](std::size_t, std::size_t column) { value -= A_[row][column] * x[column]; });
      x[z(block.column[z(k)])] = value;
    }
  }
  return x;
}

Reals RowElimination::solve_transposed(const Reals& r) const {
  Reals y = r;
  for (std::size_t p = 0; p < plan_.blocks.size(); ++p) {
    const PivotPlan::Block& block = plan_.blocks[p];
    for_each_pivot(p + 1, [&](std::size_t, std::size_t column) {
      for (int e = 0; e < block.size; ++e) y[column] -= A_[z(block.row[z(e)])][column] * y[z(block.column[z(e)])];
    });
  }
  Reals x(A_.size(), Recorded(0.0));
  for (std::size_t p = plan_.blocks.size(); p-- > 0;) {
    const PivotPlan::Block& block = plan_.blocks[p];
    for_each_pivot(p + 1, [&](std::size_t row, std::size_t) {
      for (int e = 0; e < block.size; ++e) y[z(block.column[z(e)])] -= A_[row][z(block.column[z(e)])] * x[row];
    });
    const Inverse& i = inverse_[p];
    const Recorded& first = y[z(block.column[0])];
    if (block.size == 1) {
      x[z(block.row[0])] = first * i.a;
    } else {
      const Recorded& second = y[z(block.column[1])];
      x[z(block.row[0])] = i.d * first - i.c * second;
      x[z(block.row[1])] = i.a * second - i.b * first;
    }
  }
  return x;
}

std::vector<Reals> RowElimination::null_space() const {
  std::vector<Reals> N;
  for (const int independent : plan_.independent) {
    Reals r;
    for (const Reals& row : A_) r.push_back(-row[z(independent)]);
    N.push_back(solve(std::move(r)));
    N.back()[z(independent)] = Recorded(1.0);
  }
  return N;
}

NullSpace::NullSpace(const SymmetricEntries& M, const std::vector<Gradient>& G, const PivotPlan& plan)
    : M_(M),
      rows_(G, M.size(), plan),
      N_(rows_.null_space()),
      MN_(products(M, N_)),
      reduced_(reduced(N_, MN_)),
      factors_(reduced_),
      pivot_(1.0) {
  for (std::size_t p = 0; p < plan.blocks.size(); ++p)
    pivot_ = min(pivot_, abs(rows_.determinants()[p] * (1.0 / plan.blocks[p].reference)));
}

Reals NullSpace::solve(const Reals& f, const Reals& bias) const {
  Reals a = rows_.solve(bias);
  Reals along;
  for (std::size_t d = 0; d < N_.size(); ++d) {
    Recorded right(0.0);
    for (std::size_t i = 0; i < a.size(); ++i) right += N_[d][i] * f[i] - MN_[d][i] * a[i];
    along.push_back(right);
  }
  factors_.solve(along);
  for (std::size_t d = 0; d < N_.size(); ++d)
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += N_[d][i] * along[d];
  return a;
}

Reals NullSpace::multipliers(const Reals& f, const Reals& a) const {
  Reals rest = M_.times(a);
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = f[i] - rest[i];
  return rows_.solve_transposed(rest);
}

}  // namespace raak

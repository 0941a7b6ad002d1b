#include "system/elimination.h"

#include <set>

namespace raak {
namespace {

std::size_t z(int i) {
  return static_cast<std::size_t>(i);
}

Recorded dot(const Gradient& row, const Reals& x) {
  Recorded sum(0.0);
  for (const auto& [j, entry] : row) sum += entry * x[z(j)];
  return sum;
}

// lambda := (G M^-1 G')^-1 lambda and x := x - M^-1 G' lambda; returns the smallest relative pivot.
Recorded reduce(const SparseLdl& M, const std::vector<Gradient>& G, Reals& lambda, Reals& x) {
  const auto m = static_cast<int>(G.size());
  std::vector<Reals> W;  // columns of M^-1 G'
  SymmetricEntries S(m);
  for (int i = 0; i < m; ++i) {
    Reals column(x.size(), Recorded(0.0));
    for (const auto& [j, entry] : G[z(i)]) column[z(j)] = entry;
    M.solve(column);
    for (int k = 0; k <= i; ++k) {
      const Recorded sum = dot(G[z(k)], column);
      if (!sum.is_zero()) S(i, k) = sum;
    }
    W.push_back(std::move(column));
  }
  const SparseLdl factor(S);
  factor.solve(lambda);
  for (int i = 0; i < m; ++i)
    for (std::size_t j = 0; j < x.size(); ++j) x[j] -= W[z(i)][j] * lambda[z(i)];
  return factor.smallest_pivot();
}

}  // namespace

Recorded SymmetricEntries::at(int i, int j) const {
  const auto found = entries_.find(key(i, j));
  return found == entries_.end() ? Recorded(0.0) : found->second;
}

Reals SymmetricEntries::times(const Reals& x) const {
  Reals y(z(size_), Recorded(0.0));
  for (const auto& [where, entry] : entries_) {
    const auto [i, j] = where;
    y[z(i)] += entry * x[z(j)];
    if (i != j) y[z(j)] += entry * x[z(i)];
  }
  return y;
}

SparseLdl::SparseLdl(const SymmetricEntries& matrix) : smallest_pivot_(1.0) {
  std::vector<std::map<int, Recorded>> rows(z(matrix.size()));
  Reals diagonal(z(matrix.size()), Recorded(0.0));
  for (const auto& [where, entry] : matrix.all()) {
    const auto [i, j] = where;
    if (i == j) diagonal[z(i)] = entry;
    if (i != j && !entry.is_zero()) rows[z(i)].emplace(j, entry), rows[z(j)].emplace(i, entry);
  }
  Reals pivot = diagonal;
  std::set<std::pair<std::size_t, int>> by_degree;
  for (int i = 0; i < matrix.size(); ++i) by_degree.emplace(rows[z(i)].size(), i);
  while (!by_degree.empty()) {
    const int k = by_degree.begin()->second;
    by_degree.erase(by_degree.begin());
    const std::map<int, Recorded> column = std::move(rows[z(k)]);
    smallest_pivot_ = min(smallest_pivot_, pivot[z(k)] / diagonal[z(k)]);
    Column done{k, Recorded(1.0) / pivot[z(k)], {}};
    for (const auto& [i, entry] : column) {
      by_degree.erase({rows[z(i)].size(), i});
      rows[z(i)].erase(k);
      done.below.emplace_back(i, entry * done.inverse_pivot);
    }
    std::size_t a = 0;
    for (auto i = column.begin(); i != column.end(); ++i, ++a) {
      const Recorded& factor = done.below[a].second;
      pivot[z(i->first)] -= factor * i->second;
      for (auto j = std::next(i); j != column.end(); ++j) {
        Recorded& entry = rows[z(i->first)].try_emplace(j->first, 0.0).first->second;
        entry -= factor * j->second;
        rows[z(j->first)][i->first] = entry;
      }
    }
    for (const auto& [i, entry] : column) by_degree.emplace(rows[z(i)].size(), i);
    columns_.push_back(std::move(done));
  }
}

void SparseLdl::solve(Reals& x) const {
  for (const Column& c : columns_)
    for (const auto& [i, entry] : c.below) x[z(i)] -= entry * x[z(c.row)];
  for (const Column& c : columns_) x[z(c.row)] *= c.inverse_pivot;
  for (auto c = columns_.rbegin(); c != columns_.rend(); ++c)
    for (const auto& [i, entry] : c->below) x[z(c->row)] -= entry * x[z(i)];
}

MotionSolution solve_by_schur_complement(const MotionTerms& terms) {
  const SparseLdl M(terms.M);
  MotionSolution found{terms.f, terms.bias, Recorded(1.0)};
  M.solve(found.a);
  if (terms.G.empty()) return found;
  for (std::size_t i = 0; i < terms.G.size(); ++i) found.lambda[i] = dot(terms.G[i], found.a) - terms.bias[i];
  found.pivot = reduce(M, terms.G, found.lambda, found.a);
  return found;
}

Reals shortest_correction(const SymmetricEntries& M, const std::vector<Gradient>& G, const Reals& residual) {
  Reals change(z(M.size()), Recorded(0.0));
  Reals lambda = residual;
  reduce(SparseLdl(M), G, lambda, change);
  return change;
}

MotionSolution solve_in_null_space(const MotionTerms& terms, const PivotPlan& plan) {
  const std::size_t n = terms.f.size();
  const std::size_t columns = n + 1;  // the last one is the right-hand side
  std::vector<Reals> A(terms.G.size(), Reals(columns, Recorded(0.0)));
  for (std::size_t i = 0; i < A.size(); ++i) {
    for (const auto& [j, entry] : terms.G[i]) A[i][z(j)] = entry;
    A[i][n] = terms.bias[i];
  }
  Recorded pivot(1.0);
  std::vector<char> eliminated(columns, 0);
  for (std::size_t p = 0; p < plan.blocks.size(); ++p) {
    const PivotPlan::Block& block = plan.blocks[p];
    const bool two = block.size == 2;
    Reals& upper = A[z(block.row[0])];
    const std::size_t x = z(block.column[0]);
    const std::size_t y = two ? z(block.column[1]) : x;
    eliminated[x] = eliminated[y] = 1;
    if (two) {
      Reals& lower = A[z(block.row[1])];
      const Recorded determinant = upper[x] * lower[y] - upper[y] * lower[x];
      pivot = min(pivot, abs(determinant * (1.0 / block.reference)));
      const Recorded inverse = Recorded(1.0) / determinant;
      const Recorded a = upper[x] * inverse;
      const Recorded b = upper[y] * inverse;
      const Recorded c = lower[x] * inverse;
      const Recorded d = lower[y] * inverse;
      for (std::size_t j = 0; j < columns; ++j) {
        if (eliminated[j]) continue;
        const Recorded first = upper[j];
        upper[j] = d * first - b * lower[j];
        lower[j] = a * lower[j] - c * first;
      }
    } else {
      pivot = min(pivot, abs(upper[x] * (1.0 / block.reference)));
      const Recorded inverse = Recorded(1.0) / upper[x];
      for (std::size_t j = 0; j < columns; ++j)
        if (!eliminated[j]) upper[j] *= inverse;
    }
    for (std::size_t q = p + 1; q < plan.blocks.size(); ++q) {
      for (int k = 0; k < plan.blocks[q].size; ++k) {
        Reals& row = A[z(plan.blocks[q].row[z(k)])];
        for (std::size_t j = 0; j < columns; ++j) {
          if (eliminated[j]) continue;
          row[j] -= row[x] * upper[j];
          if (two) row[j] -= row[y] * A[z(block.row[1])][j];
        }
      }
    }
  }
  // Back substitution: the dependent components of p (last column) and of each column of N.
  const std::size_t freedoms = plan.independent.size();
  std::vector<Reals> N(freedoms + 1, Reals(n, Recorded(0.0)));
  for (std::size_t k = 0; k < freedoms; ++k) N[k][z(plan.independent[k])] = Recorded(1.0);
  for (std::size_t p = plan.blocks.size(); p-- > 0;) {
    const PivotPlan::Block& block = plan.blocks[p];
    for (int k = 0; k < block.size; ++k) {
      const Reals& row = A[z(block.row[z(k)])];
      for (std::size_t d = 0; d <= freedoms; ++d) {
        Recorded value = d == freedoms ? row[n] : -row[z(plan.independent[d])];
        for (std::size_t q = p + 1; q < plan.blocks.size(); ++q)
          for (int e = 0; e < plan.blocks[q].size; ++e) {
            const std::size_t column = z(plan.blocks[q].column[z(e)]);
            value -= row[column] * N[d][column];
          }
        N[d][z(block.column[z(k)])] = value;
      }
    }
  }
  // The reduced system of the degrees of freedom.
  MotionSolution solution{N[freedoms], {}, pivot};
  SymmetricEntries reduced(static_cast<int>(freedoms));
  Reals direction;
  for (std::size_t d = 0; d < freedoms; ++d) {
    const Reals MN = terms.M.times(N[d]);
    Recorded right(0.0);
    for (std::size_t i = 0; i < n; ++i) right += N[d][i] * terms.f[i] - MN[i] * N[freedoms][i];
    direction.push_back(right);
    for (std::size_t e = 0; e <= d; ++e) {
      Recorded sum(0.0);
      for (std::size_t i = 0; i < n; ++i) sum += N[e][i] * MN[i];
      reduced(static_cast<int>(d), static_cast<int>(e)) = sum;
    }
  }
  SparseLdl(reduced).solve(direction);
  for (std::size_t d = 0; d < freedoms; ++d)
    for (std::size_t i = 0; i < n; ++i) solution.a[i] += N[d][i] * direction[d];
  return solution;
}

}  // namespace raak

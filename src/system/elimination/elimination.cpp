#include "system/elimination/elimination.h"

#include <set>

#include "base/linear/index.h"

namespace raak {
namespace {

Recorded dot(const Gradient& row, const Reals& x) {
  Recorded sum(0.0);
  for (const auto& [j, entry] : row) sum += entry * x[z(j)];
  return sum;
}

std::vector<Reals> solved_rows(const SparseLdl& M, int size, const std::vector<Gradient>& G) {
  std::vector<Reals> W;
  for (const Gradient& row : G) {
    Reals column(z(size), Recorded(0.0));
    for (const auto& [j, entry] : row) column[z(j)] = entry;
    M.solve(column);
    W.push_back(std::move(column));
  }
  return W;
}

SymmetricEntries complement(const std::vector<Gradient>& G, const std::vector<Reals>& W) {
  SymmetricEntries S(static_cast<int>(G.size()));
  for (std::size_t i = 0; i < G.size(); ++i)
    for (std::size_t k = 0; k <= i; ++k) {
      const Recorded sum = dot(G[k], W[i]);
      if (!sum.is_zero()) S(static_cast<int>(i), static_cast<int>(k)) = sum;
    }
  return S;
}

}  // namespace

Recorded dot(const Reals& x, const Reals& y) {
  Recorded sum(0.0);
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

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
  for (auto c = columns_.rbegin(); c != columns_.rend(); ++c)  // NOLINT: clang 14 cannot read reversed views
    for (const auto& [i, entry] : c->below) x[z(c->row)] -= entry * x[z(i)];
}

SchurElimination::SchurElimination(const SymmetricEntries& M, const std::vector<Gradient>& G)
    : G_(G), M_(M), W_(solved_rows(M_, M.size(), G)), complement_(complement(G, W_)) {}

void SchurElimination::reduce(Reals& lambda, Reals& x) const {
  complement_.solve(lambda);
  for (std::size_t i = 0; i < W_.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) x[j] -= W_[i][j] * lambda[i];
}

SchurElimination::Solution SchurElimination::solve(const Reals& f, const Reals& bias) const {
  Solution found{f, bias};
  M_.solve(found.a);
  for (std::size_t i = 0; i < G_.size(); ++i) found.lambda[i] = dot(G_[i], found.a) - bias[i];
  reduce(found.lambda, found.a);
  return found;
}

Reals SchurElimination::correction(const Reals& residual) const {
  Reals lambda = residual;
  Reals change(W_.empty() ? 0 : W_.front().size(), Recorded(0.0));
  reduce(lambda, change);
  return change;
}

}  // namespace raak

#include "system/recorded/partition/basis_correction.h"

#include "base/linear/index.h"
#include "system/elimination/null_space.h"
#include "system/recorded/motion_terms.h"

namespace raak {
namespace {

// The orthogonal projections N (N'N)^-1 N' v of the rows of the basis.
std::vector<Reals> projections(const std::vector<Reals>& N, const std::vector<Reals>& V) {
  const int freedoms = static_cast<int>(N.size());
  SymmetricEntries gram(freedoms);
  for (int i = 0; i < freedoms; ++i)
    for (int k = 0; k <= i; ++k) gram(i, k) = dot(N[z(i)], N[z(k)]);
  const SparseLdl factors(gram);
  std::vector<Reals> P;
  for (const Reals& row : V) {
    Reals along;
    for (const Reals& direction : N) along.push_back(dot(direction, row));
    factors.solve(along);
    Reals& projection = P.emplace_back(row.size(), Recorded(0.0));
    for (std::size_t k = 0; k < N.size(); ++k)
      for (std::size_t j = 0; j < row.size(); ++j) projection[j] += N[k][j] * along[k];
  }
  return P;
}

// L = P V' (V P V')^-1, P the orthogonal projection along the constraints: the eigenvalues of V P V' are squared
// cosines of the angles between the subspaces, so that it needs no pivoting. The columns of L.
std::vector<Reals> lifting(const std::vector<Reals>& N, const std::vector<Reals>& V) {
  const std::vector<Reals> P = N.size() == 1 ? N : projections(N, V);  // the length of a single one cancels
  SymmetricEntries seen(static_cast<int>(P.size()));
  for (std::size_t i = 0; i < P.size(); ++i)
    for (std::size_t k = 0; k <= i; ++k) seen(static_cast<int>(i), static_cast<int>(k)) = dot(V[k], P[i]);
  const SparseLdl factors(seen);
  std::vector<Reals> L(P.size(), Reals(P.empty() ? 0 : P.front().size()));
  for (std::size_t j = 0; j < (P.empty() ? 0 : P.front().size()); ++j) {
    Reals row;
    for (const Reals& projection : P) row.push_back(projection[j]);
    factors.solve(row);
    for (std::size_t k = 0; k < L.size(); ++k) L[k][j] = row[k];
  }
  return L;
}

}  // namespace

void write_basis_correction(const Formulas& formulas, const PivotPlan& plan, KernelRecording& to) {
  const MotionTerms terms(formulas, to.x);
  const std::size_t n = to.x.q.size();
  const RowElimination rows(terms.position_jacobian(), static_cast<int>(n), plan);
  const std::vector<Reals> N = rows.null_space();
  std::vector<Reals> V(N.size(), Reals(n));
  for (std::size_t j = 0; j < n; ++j)
    for (Reals& row : V) row[j] = to.tape().new_input(4);
  const std::vector<Reals> L = lifting(N, V);
  const auto correction = [&](Reals residual) {
    for (Recorded& entry : residual) entry = -entry;
    Reals change = rows.solve(std::move(residual));
    Reals seen;
    for (const Reals& row : V) seen.push_back(dot(row, change));
    for (std::size_t k = 0; k < L.size(); ++k)
      for (std::size_t j = 0; j < n; ++j) change[j] -= L[k][j] * seen[k];
    return change;
  };
  const Reals dq = correction(terms.constraint());
  to.write(0, dq);
  to.write(0, correction(terms.velocity_residual_near(dq)));
  for (const Reals& column : L) to.write(1, column);
  to.write(2, rows.determinants());
}

}  // namespace raak

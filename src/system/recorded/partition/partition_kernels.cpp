#include "system/recorded/partition/partition_kernels.h"

#include "base/linear/index.h"
#include "base/tape/substitution.h"
#include "system/elimination/null_space.h"

namespace raak {
namespace {

std::vector<std::size_t> dependent_columns(const PivotPlan& plan) {
  std::vector<std::size_t> columns;
  for (const PivotPlan::Block& block : plan.blocks)
    for (int k = 0; k < block.size; ++k) columns.push_back(z(block.column[z(k)]));
  return columns;
}

Reals join(Reals a, const Reals& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

void write_partition(const Formulas& formulas, const PivotPlan& plan, KernelRecording& to) {
  const RecordedState& x = to.x;
  const MotionTerms terms(formulas, x);
  const SymmetricEntries M = terms.mass();
  const std::vector<Gradient> G = terms.jacobian();
  const NullSpace space(M, G, plan);
  const std::vector<Reals>& N = space.directions();
  const std::vector<std::size_t> dependent = dependent_columns(plan);
  const Reals correction = space.rows().solve(terms.constraint());
  const Reals driven = space.rows().solve(terms.residual_at_rest());
  Reals given, following;
  for (const std::size_t d : dependent) {
    Recorded v = -driven[d];
    for (std::size_t k = 0; k < N.size(); ++k) v += N[k][d] * x.v[z(plan.independent[k])];
    given.push_back(x.v[d]);
    following.push_back(v);
  }
  const Reals both = substitute(join(terms.force(), terms.bias()), given, following);
  const auto middle = both.begin() + static_cast<std::ptrdiff_t>(x.q.size());
  to.write(0, space.solve({both.begin(), middle}, {middle, both.end()}));
  for (const std::size_t d : dependent) to.write(1, x.q[d] - correction[d]);
  to.write(1, following);
  for (const std::size_t d : dependent)
    for (const Reals& column : N) to.write(1, column[d]);
  to.write(2, space.rows().determinants());
}

void write_linearisation(const Formulas& formulas, const PivotPlan& plan, KernelRecording& to) {
  const RecordedState& x = to.x;
  const MotionTerms terms(formulas, x);
  const SymmetricEntries M = terms.mass();
  const std::vector<Gradient> G = terms.jacobian();
  const NullSpace space(M, G, plan);
  const std::vector<Reals>& N = space.directions();
  const Reals f = terms.force();
  const Reals a = space.solve(f, terms.bias());
  const Reals unknown = join(x.a, x.lambda);
  const Reals found = join(a, space.multipliers(f, a));
  Reals imbalance = terms.inertia_and_reactions();
  for (std::size_t i = 0; i < f.size(); ++i) imbalance[i] -= f[i];
  std::vector<Reals> damping, stiffness;
  for (const Reals& direction : N) {
    damping.push_back(derivative_along(f, x.v, direction));
    stiffness.push_back(substitute(derivative_along(imbalance, x.q, direction), unknown, found));
  }
  const auto freedoms = static_cast<int>(N.size());
  const auto reduced = [&](const std::vector<Reals>& columns, double sign) {
    for (const Reals& left : N)
      for (const Reals& column : columns) {
        Recorded sum(0.0);
        for (std::size_t i = 0; i < left.size(); ++i) sum += left[i] * column[i];
        to.write(0, sign * sum);
      }
  };
  for (int i = 0; i < freedoms; ++i)
    for (int j = 0; j < freedoms; ++j) to.write(0, space.reduced_mass().at(i, j));
  reduced(damping, -1.0);
  reduced(stiffness, 1.0);
}

}  // namespace raak

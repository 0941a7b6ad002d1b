// What the kernels of a partition compute (partition.h), written to a tape from the terms of a problem.
#pragma once
#include <vector>

#include "base/tape.h"
#include "system/equation_terms.h"
#include "system/null_space.h"
#include "system/partition.h"

namespace raak {

// Block 0: a; block 1: q_D corrected, v_D and N_D; block 2: the determinants.
template <class Problem>
void write_partition(const EquationTerms<Problem>& terms, const PivotPlan& plan, Tape& tape, const Recorded& t,
                     const Column<Recorded, Problem::coordinates>& q,
                     const Column<Recorded, Problem::coordinates>& v_given) {
  constexpr int n = EquationTerms<Problem>::n;
  constexpr int m = EquationTerms<Problem>::m;
  using Q = Column<Recorded, n>;
  const auto [g, G] = terms.template position_rows<Recorded>(t, q);
  const NullSpace<Recorded, n, m> space(terms.template mass<Recorded>(t, q), G, plan);
  const auto& N = space.directions();
  Q still;
  still.fill(Recorded(0.0));
  const Q correction = space.rows().solve(g);
  const Q driven = space.rows().solve(terms.template velocity_residual<Recorded>(t, q, still));
  Q v;
  for (std::size_t i = 0; i < n; ++i) {
    v[i] = -driven[i];
    for (std::size_t k = 0; k < N.size(); ++k) v[i] += N[k][i] * v_given[static_cast<std::size_t>(plan.independent[k])];
  }
  const Q a = space.solve(terms.template force<Recorded>(t, q, v), terms.template bias<Recorded>(t, q, v));
  for (const Recorded& x : a) tape.add_output(0, x);
  std::vector<std::size_t> dependent;
  for (const PivotPlan::Block& block : plan.blocks)
    for (int k = 0; k < block.size; ++k)
      dependent.push_back(static_cast<std::size_t>(block.column[static_cast<std::size_t>(k)]));
  for (const std::size_t d : dependent) tape.add_output(1, q[d] - correction[d]);
  for (const std::size_t d : dependent) tape.add_output(1, v[d]);
  for (const std::size_t d : dependent)
    for (const auto& column : N) tape.add_output(1, column[d]);
  for (const Recorded& determinant : space.rows().determinants()) tape.add_output(2, determinant);
}

// Mass, damping and stiffness of the linearised equations in the independent coordinates: N'MN, -N' df/dv N and
// N' (d(M a + G' lambda)/dq - df/dq) N, row by row in block 0.
template <class Problem>
void write_linearisation(const EquationTerms<Problem>& terms, const PivotPlan& plan, Tape& tape, const Recorded& t,
                         const Column<Recorded, Problem::coordinates>& q,
                         const Column<Recorded, Problem::coordinates>& v) {
  constexpr int n = EquationTerms<Problem>::n;
  constexpr int m = EquationTerms<Problem>::m;
  using First = Jet<Recorded, n>;
  using Both = Jet<Recorded, 2 * n>;
  Column<Both, n> qs, vs;
  Column<First, n> along;
  for (std::size_t i = 0; i < n; ++i) {
    qs[i] = Both::variable(q[i], static_cast<int>(i));
    vs[i] = Both::variable(v[i], n + static_cast<int>(i));
    along[i] = First::variable(q[i], static_cast<int>(i));
  }
  const auto found = terms.template accelerations<Recorded>(t, q, v);
  const auto f = terms.template force<Both>(Both::constant(t), qs, vs);
  const auto M = terms.template mass<First>(First::constant(t), along);
  const auto G = terms.template jacobian<First>(First::constant(t), along);
  Dense<Recorded, m, n> rows;
  Dense<Recorded, n, n> mass, damping, stiffness;
  for (int i = 0; i < n; ++i) {
    First inertia = First::constant(Recorded(0.0));
    for (int j = 0; j < n; ++j) inertia += M(i, j) * First::constant(found.a[static_cast<std::size_t>(j)]);
    for (int k = 0; k < m; ++k) {
      inertia += G(k, i) * First::constant(found.lambda[static_cast<std::size_t>(k)]);
      rows(k, i) = G(k, i).value;
    }
    const Both& force = f[static_cast<std::size_t>(i)];
    for (int j = 0; j < n; ++j) {
      mass(i, j) = M(i, j).value;
      damping(i, j) = -force.partial[static_cast<std::size_t>(n + j)];
      stiffness(i, j) = inertia.partial[static_cast<std::size_t>(j)] - force.partial[static_cast<std::size_t>(j)];
    }
  }
  const auto N = RowElimination<Recorded, n, m>(rows, plan).null_space();
  for (const auto* matrix : {&mass, &damping, &stiffness})
    for (const auto& left : N)
      for (const auto& right : N) {
        Recorded sum(0.0);
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            sum += left[static_cast<std::size_t>(i)] * (*matrix)(i, j) * right[static_cast<std::size_t>(j)];
        tape.add_output(0, sum);
      }
}

}  // namespace raak

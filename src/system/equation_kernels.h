// The evaluations of an integrator's inner loop as recorded kernels: accelerations (by whichever of null space and
// Schur complement takes fewer operations), accelerations with multipliers, and the corrections towards the
// constraints. Inputs are the blocks t, q, v. Recorded at the first use, with pivots chosen at that pose. Partitions of
// q are recorded for every choice of pivots that is asked for.
#pragma once
#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "base/kernel.h"
#include "system/equation_terms.h"
#include "system/null_space.h"
#include "system/partition.h"

namespace raak {

template <class Problem>
class EquationKernels {
  using Terms = EquationTerms<Problem>;
  static constexpr int n = Terms::n;
  static constexpr int mp = Terms::mp;
  static constexpr int m = Terms::m;
  template <class Real>
  using Q = Column<Real, n>;

 public:
  // Below this a block of pivots has shrunk too much since it was chosen: the Schur complement takes over.
  static constexpr double smallest_good_pivot = 0.02;

  explicit EquationKernels(const Terms& terms) : terms_(terms) {}

  // Writes a (block 0) and the smallest relative pivot (block 2).
  const Kernel& accelerations(double t, const double* q) const {
    std::call_once(accelerations_once_, [&] { accelerations_ = record_accelerations(t, q); });
    return *accelerations_;
  }
  // Writes a, lambda (block 1) and the smallest relative pivot.
  const Kernel& with_multipliers() const {
    return once(with_multipliers_once_, with_multipliers_, [this](Tape& tape, const Inputs& in) {
      const auto found = terms_.template accelerations<Recorded>(in.t, in.q, in.v);
      write(tape, 0, found.a);
      write(tape, 1, found.lambda);
      tape.add_output(2, found.smallest_pivot);
    });
  }
  // Writes the corrected q and g as it was.
  const Kernel& position_correction() const {
    return once(position_once_, position_, [this](Tape& tape, const Inputs& in) {
      const auto [g, G] = terms_.template position_rows<Recorded>(in.t, in.q);
      write(tape, 0, sum(in.q, terms_.template correction<Recorded, mp>(in.t, in.q, G, g)));
      write(tape, 1, g);
    });
  }
  // Writes the corrected v and [g'; c] as it was.
  const Kernel& velocity_correction() const {
    return once(velocity_once_, velocity_, [this](Tape& tape, const Inputs& in) {
      const auto c = terms_.template velocity_residual<Recorded>(in.t, in.q, in.v);
      const auto G = terms_.template jacobian<Recorded>(in.t, in.q);
      write(tape, 0, sum(in.v, terms_.template correction<Recorded, m>(in.t, in.q, G, c)));
      write(tape, 1, c);
    });
  }
  // No velocity rows. It stays where it is for the life of the kernels.
  const Partition& partition(const PivotPlan& plan) const {
    const std::lock_guard<std::mutex> lock(partitions_mutex_);
    for (const auto& known : partitions_)
      if (known->plan().eliminates_like(plan)) return *known;
    partitions_.push_back(std::make_unique<RecordedPartition>(plan, record_partition(plan),
                                                              [this, plan] { return record_linearisation(plan); }));
    return *partitions_.back();
  }

 private:
  struct Inputs {
    Recorded t;
    Q<Recorded> q, v;
  };
  static Inputs inputs(Tape& tape) {
    Inputs in;
    in.t = tape.new_input(0);
    for (Recorded& x : in.q) x = tape.new_input(1);
    for (Recorded& x : in.v) x = tape.new_input(2);
    return in;
  }
  template <std::size_t N>
  static void write(Tape& tape, int block, const std::array<Recorded, N>& x) {
    for (const Recorded& e : x) tape.add_output(block, e);
  }
  static Q<Recorded> sum(Q<Recorded> a, const Q<Recorded>& b) {
    for (std::size_t i = 0; i < n; ++i) a[i] += b[i];
    return a;
  }
  template <class Formula>
  static std::unique_ptr<Kernel> record(Formula&& formula) {
    const PreparationTimer timer;
    Tape tape;
    const Tape::Recording recording(tape);
    formula(tape, inputs(tape));
    return std::make_unique<Kernel>(tape);
  }
  template <class Formula>
  static const Kernel& once(std::once_flag& flag, std::unique_ptr<Kernel>& kernel, Formula&& formula) {
    std::call_once(flag, [&] { kernel = record(formula); });
    return *kernel;
  }
  std::unique_ptr<Kernel> record_accelerations(double t, const double* pose) const {
    auto schur = record([this](Tape& tape, const Inputs& in) {
      const auto found = terms_.template accelerations<Recorded>(in.t, in.q, in.v);
      write(tape, 0, found.a);
      tape.add_output(2, found.smallest_pivot);
    });
    if constexpr (m > 0 && m < n) {
      const PivotPlan plan = pivots(t, pose);
      if (!plan.blocks.empty()) {
        auto null_space = record([&](Tape& tape, const Inputs& in) {
          const auto found = solve_in_null_space<Recorded, n, m>(
              terms_.template mass<Recorded>(in.t, in.q), terms_.template force<Recorded>(in.t, in.q, in.v),
              terms_.template jacobian<Recorded>(in.t, in.q), terms_.template bias<Recorded>(in.t, in.q, in.v), plan);
          write(tape, 0, found.a);
          tape.add_output(2, found.pivot);
        });
        if (null_space->program().cost() < schur->program().cost()) return null_space;
      }
    }
    return schur;
  }
  std::unique_ptr<Kernel> record_partition(const PivotPlan& plan) const {
    return record([&](Tape& tape, const Inputs& in) {
      const auto [g, G] = terms_.template position_rows<Recorded>(in.t, in.q);
      const RowElimination<Recorded, n, m> rows(G, plan);
      const auto N = rows.null_space();
      Q<Recorded> still;
      still.fill(Recorded(0.0));
      const Q<Recorded> correction = rows.solve(g);
      const Q<Recorded> driven = rows.solve(terms_.template velocity_residual<Recorded>(in.t, in.q, still));
      Q<Recorded> v;
      for (std::size_t i = 0; i < n; ++i) {
        v[i] = -driven[i];
        for (std::size_t k = 0; k < N.size(); ++k)
          v[i] += N[k][i] * in.v[static_cast<std::size_t>(plan.independent[k])];
      }
      write(tape, 0,
            accelerate_in_null_space<Recorded, n>(terms_.template mass<Recorded>(in.t, in.q),
                                                  terms_.template force<Recorded>(in.t, in.q, v), N,
                                                  rows.solve(terms_.template bias<Recorded>(in.t, in.q, v))));
      std::vector<std::size_t> dependent;
      for (const PivotPlan::Block& block : plan.blocks)
        for (int k = 0; k < block.size; ++k)
          dependent.push_back(static_cast<std::size_t>(block.column[static_cast<std::size_t>(k)]));
      for (const std::size_t d : dependent) tape.add_output(1, in.q[d] - correction[d]);
      for (const std::size_t d : dependent) tape.add_output(1, v[d]);
      for (const std::size_t d : dependent)
        for (const auto& column : N) tape.add_output(1, column[d]);
      for (const Recorded& determinant : rows.determinants()) tape.add_output(2, determinant);
    });
  }
  // Mass, damping and stiffness of the linearised equations in the independent coordinates: N'MN, -N' df/dv N and
  // N' (d(M a + G' lambda)/dq - df/dq) N, row by row.
  std::unique_ptr<Kernel> record_linearisation(const PivotPlan& plan) const {
    using First = Jet<Recorded, n>;
    using Both = Jet<Recorded, 2 * n>;
    return record([&](Tape& tape, const Inputs& in) {
      Column<Both, n> q, v;
      Q<First> along;
      for (std::size_t i = 0; i < n; ++i) {
        q[i] = Both::variable(in.q[i], static_cast<int>(i));
        v[i] = Both::variable(in.v[i], n + static_cast<int>(i));
        along[i] = First::variable(in.q[i], static_cast<int>(i));
      }
      const auto found = terms_.template accelerations<Recorded>(in.t, in.q, in.v);
      const auto f = terms_.template force<Both>(Both::constant(in.t), q, v);
      const auto M = terms_.template mass<First>(First::constant(in.t), along);
      const auto G = terms_.template jacobian<First>(First::constant(in.t), along);
      Dense<Recorded, m, n> rows;
      Dense<Recorded, n, n> mass, damping, stiffness;
      for (int i = 0; i < n; ++i) {
        First inertia = First::constant(Recorded(0.0));
        for (int j = 0; j < n; ++j) inertia += M(i, j) * First::constant(found.a[static_cast<std::size_t>(j)]);
        for (int k = 0; k < m; ++k) inertia += G(k, i) * First::constant(found.lambda[static_cast<std::size_t>(k)]);
        for (int k = 0; k < m; ++k) rows(k, i) = G(k, i).value;
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
    });
  }
  PivotPlan pivots(double t, const double* pose) const {
    Q<double> q;
    for (std::size_t i = 0; i < n; ++i) q[i] = pose[i];
    const auto small_G = terms_.template jacobian<double>(t, q);
    const auto small_M = terms_.template mass<double>(t, q);
    Matrix G(m, n);
    Vector diagonal(n);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) G(i, j) = small_G(i, j);
      diagonal[j] = small_M(j, j);
    }
    return choose_pivots(G, diagonal);
  }

  const Terms& terms_;
  mutable std::once_flag accelerations_once_, with_multipliers_once_, position_once_, velocity_once_;
  mutable std::unique_ptr<Kernel> accelerations_, with_multipliers_, position_, velocity_;
  mutable std::mutex partitions_mutex_;
  mutable std::vector<std::unique_ptr<RecordedPartition>> partitions_;
};

}  // namespace raak

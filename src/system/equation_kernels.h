// The evaluations of an integrator's inner loop as recorded kernels: accelerations (by whichever of null space and
// Schur complement takes fewer operations), accelerations with multipliers, and the corrections towards the
// constraints, of positions and velocities each alone or both with one elimination. Inputs are the blocks t, q, v.
// Recorded at the first use, with pivots chosen at that pose; partitions of q for every choice of pivots that is asked
// for.
#pragma once
#include <array>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/kernel.h"
#include "system/equation_terms.h"
#include "system/null_space.h"
#include "system/partition_kernels.h"

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

  // Writes a (block 0) and the smallest relative pivot (block 2). Entries of the pose lie `stride` apart.
  const Kernel& accelerations(double t, const double* q, int stride = 1) const {
    std::call_once(accelerations_once_, [&] {
      Q<double> pose;
      for (std::size_t i = 0; i < n; ++i) pose[i] = q[stride * static_cast<int>(i)];
      accelerations_ = cheaper(
          t, pose.data(),
          [this](Tape& tape, const Inputs& in) {
            const auto found = terms_.template accelerations<Recorded>(in.t, in.q, in.v);
            write(tape, 0, found.a);
            tape.add_output(2, found.smallest_pivot);
          },
          [this](Tape& tape, const Inputs& in, const auto& elimination) {
            write(tape, 0,
                  elimination.solve(terms_.template force<Recorded>(in.t, in.q, in.v),
                                    terms_.template bias<Recorded>(in.t, in.q, in.v)));
            tape.add_output(2, elimination.pivot());
          });
    });
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
      write(tape, 0, sum(in.q, schur<mp>(in, G).correction(g)));
      write(tape, 1, g);
    });
  }
  // Writes the corrected v and [g'; c] as it was.
  const Kernel& velocity_correction() const {
    return once(velocity_once_, velocity_, [this](Tape& tape, const Inputs& in) {
      const auto c = terms_.template velocity_residual<Recorded>(in.t, in.q, in.v);
      const auto G = terms_.template jacobian<Recorded>(in.t, in.q);
      write(tape, 0, sum(in.v, schur<m>(in, G).correction(c)));
      write(tape, 1, c);
    });
  }
  // Writes the corrected q and v, g as it was and the smallest relative pivot; for holonomic constraints.
  const Kernel& state_correction(double t, const double* q) const {
    std::call_once(state_once_, [&] {
      const auto correct = [this](Tape& tape, const Inputs& in, auto&& correction) {
        const auto g = terms_.template constraint<Recorded>(in.t, in.q);
        const Q<Recorded> dq = correction(g);
        const auto c = terms_.template velocity_residual_near<Recorded>(in.t, in.q, dq, in.v);
        write(tape, 0, sum(in.q, dq));
        write(tape, 0, sum(in.v, correction(c)));
        write(tape, 1, g);
      };
      state_ = cheaper(
          t, q,
          [&](Tape& tape, const Inputs& in) {
            const auto elimination = schur<m>(in, terms_.template jacobian<Recorded>(in.t, in.q));
            correct(tape, in, [&](const auto& residual) { return elimination.correction(residual); });
            tape.add_output(2, Recorded(1.0));
          },
          [&](Tape& tape, const Inputs& in, const auto& elimination) {
            correct(tape, in, [&](auto residual) {
              for (Recorded& x : residual) x = -x;
              return elimination.solve(Q<Recorded>{}, residual);
            });
            tape.add_output(2, elimination.pivot());
          });
    });
    return *state_;
  }
  // No velocity rows. It stays where it is for the life of the kernels.
  const Partition& partition(const PivotPlan& plan) const {
    const std::lock_guard<std::mutex> lock(partitions_mutex_);
    for (const auto& known : partitions_)
      if (known->plan().eliminates_like(plan)) return *known;
    const auto recorder = [this, plan](auto formula) {
      return [this, plan, formula] {
        const PreparationTimer timer;
        return std::make_unique<Kernel>(
            record([&](Tape& tape, const Inputs& in) { formula(terms_, plan, tape, in.t, in.q, in.v); }));
      };
    };
    partitions_.push_back(std::make_unique<RecordedPartition>(plan, recorder(write_partition<Problem>)(),
                                                              recorder(write_linearisation<Problem>)));
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
  template <int Rows>
  auto schur(const Inputs& in, const Dense<Recorded, Rows, n>& G) const {
    const Ldl<Recorded, n> M(terms_.template mass<Recorded>(in.t, in.q));
    return typename Terms::template Schur<Recorded, Rows>(M, G);
  }
  template <class Formula>
  static Program record(Formula&& formula) {
    Tape tape;
    const Tape::Recording recording(tape);
    formula(tape, inputs(tape));
    return Program(tape);
  }
  template <class Formula>
  static const Kernel& once(std::once_flag& flag, std::unique_ptr<Kernel>& kernel, Formula&& formula) {
    std::call_once(flag, [&] {
      const PreparationTimer timer;
      kernel = std::make_unique<Kernel>(record(formula));
    });
    return *kernel;
  }
  // Of two ways to the same result the one that takes fewer operations; the second is given the null space.
  template <class BySchur, class ByNullSpace>
  std::unique_ptr<Kernel> cheaper(double t, const double* pose, BySchur&& by_schur, ByNullSpace&& by_null_space) const {
    const PreparationTimer timer;
    Program program = record(by_schur);
    if constexpr (m > 0 && m < n) {
      const PivotPlan plan = pivots(t, pose);
      if (!plan.blocks.empty()) {
        Program other = record([&](Tape& tape, const Inputs& in) {
          by_null_space(tape, in,
                        NullSpace<Recorded, n, m>(terms_.template mass<Recorded>(in.t, in.q),
                                                  terms_.template jacobian<Recorded>(in.t, in.q), plan));
        });
        if (other.cost() < program.cost()) program = std::move(other);
      }
    }
    return std::make_unique<Kernel>(std::move(program));
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
  mutable std::once_flag accelerations_once_, with_multipliers_once_, position_once_, velocity_once_, state_once_;
  mutable std::unique_ptr<Kernel> accelerations_, with_multipliers_, position_, velocity_, state_;
  mutable std::mutex partitions_mutex_;
  mutable std::vector<std::unique_ptr<RecordedPartition>> partitions_;
};

}  // namespace raak

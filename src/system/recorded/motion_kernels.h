// The evaluations of an integrator's inner loop as recorded kernels: accelerations (by whichever of null space and
// Schur complement takes fewer operations), accelerations with multipliers, and the corrections towards the
// constraints, of positions and velocities each alone or both with one elimination. Inputs are the blocks t, q, v.
// Recorded at the first use, with pivots chosen at that configuration; partitions of q for every choice of pivots that
// is asked for.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/tape/kernel.h"
#include "system/recorded/formulas.h"
#include "system/recorded/partition/partition.h"

namespace raak {

class MotionKernels {
 public:
  // Below this a block of pivots has shrunk too much since it was chosen: the Schur complement takes over.
  static constexpr double smallest_good_pivot = 0.02;

  // The formulas must outlive the kernels.
  MotionKernels(const Formulas& formulas, int coordinates, int position_rows, int velocity_rows)
      : formulas_(formulas), n_(coordinates), mp_(position_rows), m_(position_rows + velocity_rows) {}

  // Writes a (block 0) and the smallest relative pivot (block 2). Entries of the configuration lie `stride` apart.
  const Kernel& accelerations(double t, const double* q, int stride = 1) const;
  // Writes a, lambda (block 1) and the smallest relative pivot.
  const Kernel& with_multipliers() const;
  // Writes the corrected q and g as it was.
  const Kernel& position_correction() const;
  // Writes the corrected v and [g'; c] as it was.
  const Kernel& velocity_correction() const;
  // Writes the corrected q and v, g as it was and the smallest relative pivot; for holonomic constraints.
  const Kernel& state_correction(double t, const double* q) const;
  // It stays where it is for the life of the kernels. Null where there are velocity rows, or so many coordinates and
  // freedoms that recording does not pay.
  const Partition* partition(const PivotPlan& plan) const;

  // The inner loop's kernels as machine code (ConstrainedSystem::prepare).
  // The configuration at which the order of elimination was chosen, when it was first needed; none yet.
  using Configuration = std::pair<double, Vector>;  // t, q
  const std::optional<Configuration>& configuration_of_pivots() const { return configuration_of_pivots_; }
  // Chooses it at this configuration, unless that has been done.
  void choose_pivots_at(const Configuration& configuration) const {
    pivots(configuration.first, configuration.second.data(), 1);
  }

  void emit(double t, const double* q) const;

 private:
  struct Slot {
    std::once_flag once;
    std::unique_ptr<Kernel> kernel;
  };
  template <class Formula>
  std::unique_ptr<Kernel> record(Formula&& formula) const;
  template <class Formula>
  const Kernel& once(Slot& slot, Formula&& formula) const;
  // Of two ways to the same result the one that takes fewer operations; the second is given pivots.
  template <class BySchur, class ByNullSpace>
  const Kernel& cheaper(Slot& slot, double t, const double* q, int stride, BySchur&& by_schur,
                        ByNullSpace&& by_null_space) const;
  bool null_space_may_pay() const;
  // Chosen at the first configuration that asks for them; none where the rows are dependent.
  const PivotPlan& pivots(double t, const double* q, int stride) const;

  const Formulas& formulas_;
  int n_, mp_, m_;
  mutable Slot accelerations_, with_multipliers_, position_, velocity_, state_;
  mutable std::once_flag pivots_once_;
  mutable PivotPlan pivots_;
  mutable std::optional<Configuration> configuration_of_pivots_;
  mutable std::mutex partitions_mutex_;
  mutable std::vector<std::unique_ptr<RecordedPartition>> partitions_;
};

}  // namespace raak

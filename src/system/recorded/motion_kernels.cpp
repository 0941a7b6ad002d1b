#include "system/recorded/motion_kernels.h"

#include "system/elimination/null_space.h"
#include "system/recorded/motion_terms.h"
#include "system/recorded/partition/partition_kernels.h"
#include "system/recorded/recording.h"

namespace raak {
namespace {

// The null space is recorded for few coordinates, or for few freedoms of many: its size is their product.
constexpr int few_coordinates = 40;
constexpr int few_freedoms = 8;
constexpr int most_coordinates = 500;

Reals sum(Reals a, const Reals& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

// q and v brought to the constraints by corrections that remove a residual of the rows.
template <class Correction>
void write_corrected_state(const MotionTerms& terms, KernelRecording& to, Correction&& correction) {
  const Reals dq = correction(terms.constraint());
  to.write(0, sum(to.x.q, dq));
  to.write(0, sum(to.x.v, correction(terms.velocity_residual_near(dq))));
  to.write(1, terms.constraint());
}

}  // namespace

template <class Formula>
std::unique_ptr<Kernel> MotionKernels::record(Formula&& formula) const {
  const PreparationTimer timer;
  KernelRecording to(n_, m_);
  formula(to);
  return to.kernel();
}

template <class Formula>
const Kernel& MotionKernels::once(Slot& slot, Formula&& formula) const {
  std::call_once(slot.once, [&] { slot.kernel = record(formula); });
  return *slot.kernel;
}

template <class BySchur, class ByNullSpace>
const Kernel& MotionKernels::cheaper(Slot& slot, double t, const double* q, int stride, BySchur&& by_schur,
                                     ByNullSpace&& by_null_space) const {
  std::call_once(slot.once, [&] {
    slot.kernel = record(by_schur);
    if (!null_space_may_pay()) return;
    const PivotPlan& plan = pivots(t, q, stride);
    if (plan.blocks.empty()) return;
    auto other = record([&](KernelRecording& to) { by_null_space(to, plan); });
    if (other->program().cost() < slot.kernel->program().cost()) slot.kernel = std::move(other);
  });
  return *slot.kernel;
}

bool MotionKernels::null_space_may_pay() const {
  return m_ > 0 && m_ <= n_ && (n_ <= few_coordinates || (n_ - m_ <= few_freedoms && n_ <= most_coordinates));
}

const PivotPlan& MotionKernels::pivots(double t, const double* q, int stride) const {
  std::call_once(pivots_once_, [&] {
    const PreparationTimer timer;
    // Block 0: the diagonal of M; block 1: G row by row, without its zeros.
    std::vector<std::pair<int, int>> places;
    const auto kernel = record([&](KernelRecording& to) {
      const MotionTerms terms(formulas_, to.x);
      const SymmetricEntries M = terms.mass();
      for (int i = 0; i < n_; ++i) to.write(0, M.at(i, i));
      const std::vector<Gradient> G = terms.jacobian();
      for (std::size_t i = 0; i < G.size(); ++i)
        for (const auto& [j, entry] : G[i]) {
          places.emplace_back(static_cast<int>(i), j);
          to.write(1, entry);
        }
    });
    Vector configuration(n_);
    Vector diagonal(n_);
    for (int i = 0; i < n_; ++i) configuration[i] = q[stride * i];
    Vector entries(static_cast<Eigen::Index>(places.size()));
    const Vector still = Vector::Zero(n_);
    const double* const in[4] = {&t, configuration.data(), still.data(), nullptr};
    double* const out[3] = {diagonal.data(), entries.data(), nullptr};
    kernel->run_one(in, out);
    Matrix G = Matrix::Zero(m_, n_);
    for (std::size_t k = 0; k < places.size(); ++k)
      G(places[k].first, places[k].second) = entries[static_cast<Eigen::Index>(k)];
    pivots_ = choose_pivots(G, diagonal);
    configuration_of_pivots_ = {t, configuration};
  });
  return pivots_;
}

const Kernel& MotionKernels::accelerations(double t, const double* q, int stride) const {
  return cheaper(
      accelerations_, t, q, stride,
      [this](KernelRecording& to) {
        const MotionTerms terms(formulas_, to.x);
        const std::vector<Gradient> G = terms.jacobian();
        const SchurElimination elimination(terms.mass(), G);
        to.write(0, elimination.solve(terms.force(), terms.bias()).a);
        to.write(2, elimination.smallest_pivot());
      },
      [this](KernelRecording& to, const PivotPlan& plan) {
        const MotionTerms terms(formulas_, to.x);
        const SymmetricEntries M = terms.mass();
        const NullSpace space(M, terms.jacobian(), plan);
        to.write(0, space.solve(terms.force(), terms.bias()));
        to.write(2, space.pivot());
      });
}

const Kernel& MotionKernels::with_multipliers() const {
  return once(with_multipliers_, [this](KernelRecording& to) {
    const MotionTerms terms(formulas_, to.x);
    const std::vector<Gradient> G = terms.jacobian();
    const SchurElimination elimination(terms.mass(), G);
    const SchurElimination::Solution found = elimination.solve(terms.force(), terms.bias());
    to.write(0, found.a);
    to.write(1, found.lambda);
    to.write(2, elimination.smallest_pivot());
  });
}

const Kernel& MotionKernels::position_correction() const {
  return once(position_, [this](KernelRecording& to) {
    const MotionTerms terms(formulas_, to.x);
    const std::vector<Gradient> G = terms.position_jacobian();
    to.write(0, sum(to.x.q, SchurElimination(terms.mass(), G).correction(terms.constraint())));
    to.write(1, terms.constraint());
  });
}

const Kernel& MotionKernels::velocity_correction() const {
  return once(velocity_, [this](KernelRecording& to) {
    const MotionTerms terms(formulas_, to.x);
    const std::vector<Gradient> G = terms.jacobian();
    to.write(0, sum(to.x.v, SchurElimination(terms.mass(), G).correction(terms.velocity_residual())));
    to.write(1, terms.velocity_residual());
  });
}

const Kernel& MotionKernels::state_correction(double t, const double* q) const {
  return cheaper(
      state_, t, q, 1,
      [this](KernelRecording& to) {
        const MotionTerms terms(formulas_, to.x);
        const std::vector<Gradient> G = terms.jacobian();
        const SchurElimination elimination(terms.mass(), G);
        write_corrected_state(terms, to, [&](const Reals& residual) { return elimination.correction(residual); });
        to.write(2, Recorded(1.0));
      },
      [this](KernelRecording& to, const PivotPlan& plan) {
        const MotionTerms terms(formulas_, to.x);
        const SymmetricEntries M = terms.mass();
        const NullSpace space(M, terms.jacobian(), plan);
        write_corrected_state(terms, to, [&](Reals residual) {
          for (Recorded& entry : residual) entry = -entry;
          return space.solve(Reals(to.x.q.size(), Recorded(0.0)), residual);
        });
        to.write(2, space.pivot());
      });
}

const Partition* MotionKernels::partition(const PivotPlan& plan) const {
  if (m_ > mp_ || !null_space_may_pay()) return nullptr;
  const std::lock_guard<std::mutex> lock(partitions_mutex_);
  for (const auto& known : partitions_)
    if (known->plan().eliminates_like(plan)) return known.get();
  const auto recorder = [this, plan](auto write) {
    return [this, plan, write] { return record([&](KernelRecording& to) { write(formulas_, plan, to); }); };
  };
  partitions_.push_back(
      std::make_unique<RecordedPartition>(plan, recorder(write_partition)(), recorder(write_linearisation)));
  return partitions_.back().get();
}

void MotionKernels::emit(double t, const double* q) const {
  for (const Width width : {Width::four, Width::one}) {
    accelerations(t, q).emit(width);
    with_multipliers().emit(width);
  }
  // Corrections of one level alone are rare: forms that impose one level, configurations where pivots have shrunk.
  if (mp_ > 0 && m_ == mp_) {
    state_correction(t, q).emit(Width::one);
    return;
  }
  if (mp_ > 0) position_correction().emit(Width::one);
  if (m_ > 0) velocity_correction().emit(Width::one);
}

}  // namespace raak

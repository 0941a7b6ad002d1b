#include "system/recorded/equation_kernels.h"

#include "base/linear/index.h"
#include "system/recorded/motion_terms.h"

namespace raak {
namespace {

// M a + G' lambda - f.
Reals imbalance(const MotionTerms& terms) {
  const Reals f = terms.force();
  Reals result = terms.inertia_and_reactions();
  for (std::size_t i = 0; i < f.size(); ++i) result[i] -= f[i];
  return result;
}

// Half of the rows G a - bias, as far as they depend on v.
Reals half_of_rates(const MotionTerms& terms) {
  Reals rows = terms.bias();
  for (Recorded& row : rows) row *= -0.5;
  return rows;
}

}  // namespace

const Kernel& EquationKernels::residual_kernel() const {
  return once(residual_, [this](KernelRecording& to) {
    const MotionTerms terms(formulas_, to.x);
    to.write(0, imbalance(terms));
    to.write(0, terms.velocity_residual());
    to.write(0, terms.constraint());
  });
}

void EquationKernels::residual(const double* const* in, double* r) const {
  double* const out[3] = {r, nullptr, nullptr};
  residual_kernel().run_one(in, out);
}

void EquationKernels::residual_lanes(const double* const* in, double* r) const {
  double* const out[3] = {r, nullptr, nullptr};
  residual_kernel().run(in, out);
}

void EquationKernels::residual_of_index1(const double* const* in, double* r) const {
  double* const out[3] = {r, nullptr, nullptr};
  once(residual_of_index1_, [this](KernelRecording& to) {
    const MotionTerms terms(formulas_, to.x);
    to.write(0, imbalance(terms));
    const std::vector<Gradient> G = terms.jacobian();
    const Reals bias = terms.bias();
    for (std::size_t i = 0; i < G.size(); ++i) {
      Recorded row = -bias[i];
      for (const auto& [j, entry] : G[i]) row += entry * to.x.a[z(j)];
      to.write(0, row);
    }
  }).run_one(in, out);
}

void EquationKernels::linearise(Derivatives& derivatives, const double* const* in,
                                const EquationDerivatives& to) const {
  const Kernel& kernel = once(derivatives, [&](KernelRecording& recording) {
    const RecordedState& x = recording.x;
    const MotionTerms terms(formulas_, x);
    const auto write = [&](std::size_t which, int row, int column, const Recorded& value) {
      derivatives.places[which].emplace_back(row, column);
      recording.write(0, value);
    };
    const auto write_rows = [&](std::size_t which, const std::vector<Gradient>& rows) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (const auto& [j, entry] : rows[i]) write(which, static_cast<int>(i), j, entry);
    };
    const SymmetricEntries M = terms.mass();
    for (const auto& [where, value] : M.all()) {
      write(0, where.first, where.second, value);
      if (where.first != where.second) write(0, where.second, where.first, value);
    }
    write_rows(1, gradients(imbalance(terms), x.q));
    write_rows(2, gradients(terms.force(), x.v));
    write_rows(3, terms.jacobian());
    const bool of_index1 = &derivatives == &derivatives_of_index1_;
    write_rows(4, of_index1 ? gradients(half_of_rates(terms), x.v) : gradients(terms.velocity_residual(), x.q));
  });
  thread_local std::vector<double> values;
  values.resize(kernel.program().outputs().size());
  double* const out[3] = {values.data(), nullptr, nullptr};
  kernel.run_one(in, out);
  const double* from = values.data();
  std::size_t which = 0;
  for (Matrix* const matrix : {&to.M, &to.K, &to.f_v, &to.G, &to.Gdot}) {
    matrix->setZero();
    for (const auto& [row, column] : derivatives.places[which++]) (*matrix)(row, column) = *from++;
  }
}

const BasisCorrection* EquationKernels::basis_correction(const PivotPlan& plan) const {
  constexpr int few_freedoms = 8;  // what V adds is dense: the cube of their number
  constexpr int most_coordinates = 500;
  if (m_ > mp_ || m_ == 0 || m_ > n_ || n_ - m_ > few_freedoms || n_ > most_coordinates) return nullptr;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& known : basis_corrections_)
    if (known->plan().eliminates_like(plan)) return known.get();
  auto kernel = record([&](KernelRecording& to) { write_basis_correction(formulas_, plan, to); });
  return basis_corrections_.emplace_back(std::make_unique<BasisCorrection>(plan, std::move(kernel))).get();
}

}  // namespace raak

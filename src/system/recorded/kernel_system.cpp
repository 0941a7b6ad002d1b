#include "system/recorded/kernel_system.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/archive.h"
#include "system/recorded/equation_kernels.h"
#include "system/recorded/motion_terms.h"
#include "system/recorded/recording.h"

namespace raak {
namespace {

constexpr double good_pivot = MotionKernels::smallest_good_pivot;

// Memory of this thread for results that are looked at and then copied or dropped.
template <class Element>
double* scratch(int size) {
  thread_local std::vector<Element> memory;
  if (memory.size() < static_cast<std::size_t>(size)) memory.resize(static_cast<std::size_t>(size));
  return reinterpret_cast<double*>(memory.data());
}

double norm(const double* x, int rows) {
  return Vector::Map(x, rows).norm();
}

// Everything that may depend on time.
void record_all(const Formulas& formulas, const RecordedState& x) {
  const MotionTerms terms(formulas, x);
  Reals c;
  terms.force();
  terms.constraint();
  terms.mass();
  formulas.velocity_constraint(x.t, x.q, x.v, c);
}

}  // namespace

KernelSystem::KernelSystem(std::shared_ptr<const Formulas> formulas, int coordinates, int position_rows,
                           int velocity_rows, Description description)
    : ConstrainedSystem(coordinates, position_rows, velocity_rows, std::move(description)),
      formulas_(std::move(formulas)),
      kernels_(*formulas_, coordinates, position_rows, velocity_rows),
      equations_(std::make_unique<EquationKernels>(*formulas_, coordinates, position_rows, velocity_rows)) {}
KernelSystem::~KernelSystem() = default;

double KernelSystem::accelerate(double t, const double* q, const double* v, double* a, double* lambda) const {
  const double* const in[4] = {&t, q, v, nullptr};
  double pivot = 1.0;
  double* const out[3] = {a, lambda != nullptr ? lambda : scratch<double>(rows()), &pivot};
  if (lambda == nullptr) {
    kernels_.accelerations(t, q).run_one(in, out);
    if (pivot > good_pivot) return pivot;
  }
  kernels_.with_multipliers().run_one(in, out);
  return pivot;
}

void KernelSystem::accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                                    double* smallest_pivot) const {
  const double* const in[4] = {t, q, v, nullptr};
  double* const out[3] = {a, lambda, smallest_pivot};
  if (lambda != nullptr) {
    kernels_.with_multipliers().run(in, out);
    return;
  }
  kernels_.accelerations(t[0], q, lanes).run(in, out);
  if (std::all_of(smallest_pivot, smallest_pivot + lanes, [](double p) { return p > good_pivot; })) return;
  double* const again[3] = {a, scratch<Pack>(rows()), smallest_pivot};
  kernels_.with_multipliers().run(in, again);
}

double KernelSystem::correct_position(double t, double* q) const {
  if (position_rows() == 0) return 0.0;
  const int n = coordinates();
  double* const result = scratch<double>(2 * n + rows());
  double* const still = result + n + rows();
  std::fill_n(still, n, 0.0);
  const double* const in[4] = {&t, q, still, nullptr};
  double* const out[3] = {result, result + n, nullptr};
  kernels_.position_correction().run_one(in, out);
  std::copy_n(result, n, q);
  return norm(result + n, position_rows());
}

double KernelSystem::correct_velocity(double t, const double* q, double* v) const {
  if (rows() == 0) return 0.0;
  const int n = coordinates();
  double* const result = scratch<double>(n + rows());
  const double* const in[4] = {&t, q, v, nullptr};
  double* const out[3] = {result, result + n, nullptr};
  kernels_.velocity_correction().run_one(in, out);
  std::copy_n(result, n, v);
  return norm(result + n, rows());
}

double KernelSystem::correct_state(double t, double* q, double* v) const {
  if (position_rows() == 0 || velocity_rows() > 0) return ConstrainedSystem::correct_state(t, q, v);
  const int n = coordinates();
  double* const result = scratch<double>(2 * n + rows());
  double pivot = 1.0;
  const double* const in[4] = {&t, q, v, nullptr};
  double* const out[3] = {result, result + 2 * n, &pivot};
  kernels_.state_correction(t, q).run_one(in, out);
  if (!(pivot > good_pivot)) return ConstrainedSystem::correct_state(t, q, v);
  std::copy_n(result, n, q);
  std::copy_n(result + n, n, v);
  return norm(result + 2 * n, rows());
}

void KernelSystem::look_at_formulas() const {
  const PreparationTimer timer;
  if (!formulas().may_depend_on_time_or_branch()) return;
  {
    KernelRecording recording(coordinates(), rows());
    const MotionTerms terms(formulas(), recording.x);
    terms.force();
    terms.constraint();
    recording.write(0, recording.switching_functions());
    if (recording.outputs() > 0) switches_ = recording.kernel();
    record_all(formulas(), recording.x);
    if (recording.tape().functions_of(0).empty()) return;
  }
  KernelRecording recording(coordinates(), rows());
  record_all(formulas(), recording.x);
  TimeFunctions functions = write_time_functions(recording.tape(), recording.x.t);
  if (functions.formulas == 0) return;
  functions.evaluate = [kernel = std::shared_ptr<const Kernel>(recording.kernel())](const double* t, double* values) {
    const double* const in[4] = {t, nullptr, nullptr, nullptr};
    double* const out[3] = {values, nullptr, nullptr};
    kernel->run(in, out);
  };
  in_time_ = std::make_unique<TimeFormulas>(std::move(functions));
}

const TimeFormulas* KernelSystem::time_formulas() const {
  std::call_once(looked_at_, [this] { look_at_formulas(); });
  return in_time_.get();
}

int KernelSystem::switches() const {
  std::call_once(looked_at_, [this] { look_at_formulas(); });
  return switches_ ? static_cast<int>(switches_->program().outputs().size()) : 0;
}

void KernelSystem::evaluate_switches(double t, const Vector& q, const Vector& v, Vector& values) const {
  const double* const in[4] = {&t, q.data(), v.data(), nullptr};
  double* const out[3] = {values.data(), nullptr, nullptr};
  if (switches() > 0) switches_->run_one(in, out);
}

void KernelSystem::visit_state(Archive& archive) const {
  bool chosen = kernels_.configuration_of_pivots().has_value();
  MotionKernels::Configuration configuration =
      kernels_.configuration_of_pivots().value_or(MotionKernels::Configuration{});
  archive(chosen, configuration.first, configuration.second);
  if (archive.is_loading() && chosen) kernels_.choose_pivots_at(configuration);
}

double KernelSystem::acceleration_cost(double t, const Vector& q) const {
  return kernels_.accelerations(t, q.data()).program().cost();
}

}  // namespace raak

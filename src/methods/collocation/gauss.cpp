#include "methods/collocation/gauss.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/catalogue.h"
#include "methods/charts/partitioned_gauss.h"
#include "methods/control/sweep_monitor.h"

namespace raak {
namespace {

constexpr DecayMapping mapping_of_gauss{{1.3, 0.55, 0.36, 1.0, 1.0}, {4.0, 2.6, 0.30, 3.0, 0.1}};
constexpr double tolerance_for_order_sixteen = 7e-5;  // rtol + atol below which order 16 pays

}  // namespace

template <int s>
Gauss<s>::Gauss(const ConstrainedSystem& system, Form form, const Tolerances& tolerances)
    : system_(system),
      chart_(system, form, ProjectedChart::small_for(tolerances)),
      control_(system, tolerances, mapping_of_gauss),
      stages_(system, collocation_rule(Collocation::Kind::gauss, s)),
      series_(s * system.coordinates()),
      next_series_(s * system.coordinates()),
      fine_series_(2 * s * system.coordinates()),
      end_q_(Vector::Zero(system.coordinates())),
      end_v_(end_q_),
      raw_q_(end_q_),
      raw_v_(end_q_) {
  now_ = next_ = before_ = State::of_size(system.coordinates(), system.rows());
}

template <int s>
double Gauss<s>::begin(const State& start, double until) {
  now_ = before_ = start;
  accelerations_known_ = true;
  control_.begin(start);
  start_series<s>(start.a, series_.data());
  have_series_ = false;
  just_rejected_ = false;
  record_ = {};
  return control_.first_step(start, until, s);
}

template <int s>
void Gauss<s>::resume(const State& state, double) {
  now_ = before_ = state;
  accelerations_known_ = true;
  start_series<s>(state.a, series_.data());
  have_series_ = just_rejected_ = false;
}

template <int s>
const State& Gauss<s>::current() const {
  if (!accelerations_known_) {
    update_accelerations(system_, now_);
    accelerations_known_ = true;
  }
  return now_;
}

template <int s>
bool Gauss<s>::solve_stages(double h) {
  const double* q = now_.q.data();
  const double* v = now_.v.data();
  SweepMonitor monitor(fixed_steps_ ? change_of_fixed_steps : control_.change(s),
                       fixed_steps_ ? most_sweeps_of_fixed_steps : most_sweeps);
  stages_.set_step(h);
  const double* weight = control_.weight();
  while (monitor.goes_on()) monitor.add(stages_.sweep(now_.t, q, v, weight));
  statistics().evaluations += s * monitor.sweeps();
  record_.sweeps = monitor.sweeps();
  record_.contraction = monitor.contraction();
  record_.diverged = !monitor.converged();
  record_.weakest_rows = stages_.weakest_rows();
  return monitor.converged();
}

template <int s>
Attempt Gauss<s>::attempt(double to) {
  const double h = to - now_.t;
  Attempt result;
  control_.prepare(h, now_.q, now_.v, series_.data(), s);
  stages_.predict(series_.data(), s, 1.0, have_series_ ? h / series_h_ : 0.0);
  if (!solve_stages(h)) {
    just_rejected_ = true;
    result.retry_step = 0.5 * h;
    result.trouble = "the sweeps over the stages did not converge";
    return result;
  }
  const SeriesEnd end = stages_.transform(control_.weight(), next_series_.data());
  const double factor = control_.factor(end, s);
  if (factor < DecayControl::least_factor && !fixed_steps_) {
    just_rejected_ = true;
    result.retry_step = h * std::max(0.3, 0.9 * factor);
    return result;
  }
  next_.t = to;
  stages_.finish(h, now_.q.data(), now_.v.data(), next_series_.data(), next_.q.data(), next_.v.data());
  raw_q_ = next_.q;
  raw_v_ = next_.v;
  if (!chart_.restore_end(to, next_.q, next_.v, statistics()) ||
      !control_.is_near(h, raw_q_, raw_v_, next_.q, next_.v)) {
    just_rejected_ = true;
    result.retry_step = 0.5 * h;
    result.trouble = "the end of the step could not be brought back to the constraints";
    return result;
  }
  const double allowed = std::sqrt(target_contraction / std::max(record_.contraction, 1e-3));
  const double most = just_rejected_ ? 1.0 : have_series_ ? 1.5 : 4.0;
  const double wanted = control_.next(h, factor);
  record_.wish = wanted / allowed;
  next_h_ = h * std::max(0.4, std::min({most, wanted, std::max(allowed, 0.7)}));
  result.acceptable = true;
  return result;
}

template <int s>
double Gauss<s>::accept() {
  std::swap(before_, now_);
  std::swap(now_, next_);
  accelerations_known_ = false;
  series_.swap(next_series_);
  series_h_ = done_h_ = now_.t - before_.t;
  have_series_ = true;
  dense_ready_ = false;
  just_rejected_ = false;
  control_.commit();
  return next_h_;
}

template <int s>
void Gauss<s>::prepare_dense() {
  constexpr int most = 30;
  if (!fine_) fine_ = std::make_unique<StageLanes<2 * s>>(system_, collocation_rule(Collocation::Kind::gauss, 2 * s));
  fine_->set_step(done_h_);
  fine_->predict(series_.data(), s, 0.0, 1.0);
  SweepMonitor monitor(0.1 * control_.change(s), most);
  while (monitor.goes_on()) monitor.add(fine_->sweep(before_.t, before_.q.data(), before_.v.data(), control_.weight()));
  if (!monitor.converged()) fine_->predict(series_.data(), s, 0.0, 1.0);
  fine_->transform(control_.weight(), fine_series_.data());
  fine_->finish(done_h_, before_.q.data(), before_.v.data(), fine_series_.data(), end_q_.data(), end_v_.data());
  end_q_ = now_.q - end_q_;
  end_v_ = now_.v - end_v_;
  dense_ready_ = true;
}

template <int s>
void Gauss<s>::interpolate(double t, Vector& q, Vector& v) {
  if (!dense_ready_) prepare_dense();
  const double x = (t - before_.t) / done_h_;
  integrate_series<2 * s>(fine_series_.data(), x, done_h_, before_.q, before_.v, q, v);
  add_end_correction(x, done_h_, end_q_, end_v_, q, v);
}

template class Gauss<4>;
template class Gauss<8>;

bool pays_order_sixteen(const Tolerances& tolerances) {
  return asks_for_less_than(tolerance_for_order_sixteen, tolerances);
}

std::unique_ptr<FixedPointMethod> make_gauss(const ConstrainedSystem& system, Form form, const Tolerances& tolerances) {
  if (pays_order_sixteen(tolerances)) return std::make_unique<Gauss<8>>(system, form, tolerances);
  return std::make_unique<Gauss<4>>(system, form, tolerances);
}

namespace {

std::unique_ptr<Integrator> make(const ConstrainedSystem& system, Form form, const Tolerances& tolerances) {
  return has_no_freedom(system, form) ? make_tangent(system, form, tolerances) : make_gauss(system, form, tolerances);
}

}  // namespace

MethodInfo gauss_method() {
  return {.name = "gauss",
          .summary = "Gauss collocation of order 8 or 16, stages in SIMD lanes, projected after each step",
          .forms = all_but_plain_forms,
          .make = make,
          .follows_tolerance = true};
}

}  // namespace raak

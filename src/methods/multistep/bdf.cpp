#include "methods/multistep/bdf.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/catalogue.h"
#include "methods/control/error_norm.h"
#include "methods/control/first_step.h"
#include "methods/control/judged_tolerances.h"

namespace raak {
namespace {

// The error of one step is held at this part of the tolerance: the many steps of a multistep method add up to more. But
// the prediction of order 5 magnifies rounding errors by 2^6: no step can be held to less than some thousand of them.
double share_of(const Tolerances& tolerances) {
  constexpr double share = 0.03;
  constexpr double smallest = share * Bdf::rounding_floor;
  return std::max(share, smallest / std::min(tolerances.q.rtol, tolerances.v.rtol));
}

}  // namespace

Bdf::Bdf(const ConstrainedSystem& system, Form form, const Tolerances& tolerances)
    : system_(system),
      tolerances_(judged_for(system, tolerances)),
      n_(system.coordinates()),
      share_of_step_(share_of(tolerances)),
      stage_(system, form, tolerances),
      formula_(2 * n_, [this](const Vector& e) { return size_of(e); }) {
  now_ = next_ = State::of_size(n_, system.rows());
  y_ = slope_ = Vector::Zero(2 * n_);
  q_base_ = v_base_ = correction_q_ = correction_v_ = e_q_ = e_v_ = Vector::Zero(n_);
}

double Bdf::size_of(const Vector& e) {
  e_q_ = e.head(n_);
  e_v_ = e.tail(n_);
  return weighted_error(e_q_, e_v_, now_, now_, tolerances_) / share_of_step_;
}

// Of what the prediction misses, in units of the velocities' tolerance.
double Bdf::rate_of_change() const {
  double positions = 0.0;
  double velocities = 0.0;
  for (Eigen::Index i = 0; i < n_; ++i) {
    const double unit = tolerances_.v.absolute(i) + tolerances_.v.rtol * std::abs(next_.v[i]);
    positions += std::pow(correction_q_[i] / unit, 2);
    velocities += std::pow(correction_v_[i] / unit, 2);
  }
  return positions > 0.0 ? std::sqrt(velocities / positions) : 0.0;
}

double Bdf::begin(const State& start, double until) {
  now_ = next_ = start;
  y_ << now_.q, now_.v;
  slope_ << now_.v, now_.a;
  formula_.begin(y_, slope_);
  trial_.begin();
  return 0.1 * choose_first_step(system_, now_, until, 2, tolerances_, statistics());
}

Attempt Bdf::attempt(double to) {
  Attempt result;
  formula_.predict(to - now_.t, y_, slope_);
  const double w = formula_.w();
  // y = y_p + w (y' - y'_p) for q' = v - G' eta and v' = a.
  v_base_ = y_.tail(n_) - w * slope_.tail(n_);
  q_base_ = y_.head(n_) + w * (v_base_ - slope_.head(n_));
  next_.t = to;
  next_.a = slope_.tail(n_);
  next_.lambda = now_.lambda;
  const double precision = fixed_steps_ ? 0.0 : 0.1 * share_of_step_;  // with fixed steps no error is asked for
  if (!stage_.solve(next_, q_base_, v_base_, w, w * w, precision, statistics())) {
    result.retry_step = formula_.reject(false);
    result.trouble = "Newton's method for the end of the step does not converge";
    return result;
  }
  y_.head(n_) = next_.q - y_.head(n_);
  y_.tail(n_) = next_.v - y_.tail(n_);
  correction_q_ = y_.head(n_);
  correction_v_ = y_.tail(n_);
  const double error = formula_.error(y_);
  if (!(error <= 1.0) && !(fixed_steps_ && std::isfinite(error))) {
    result.retry_step = formula_.reject(true);
    return result;
  }
  // The formula's own acceleration and multipliers have the error of a differentiated polynomial: these follow from q,
  // v.
  update_accelerations(system_, next_);
  ++statistics().evaluations;
  result.acceptable = next_.a.allFinite();
  if (!result.acceptable) {
    result.retry_step = formula_.reject(false);
    result.trouble = "the accelerations became infinite";
  }
  return result;
}

double Bdf::accept() {
  formula_.limit_order(trial_.after_step(next_.t - now_.t, formula_.order(), rate_of_change()));
  std::swap(now_, next_);
  return formula_.accept();
}

void Bdf::interpolate(double t, Vector& q, Vector& v) {
  formula_.interpolate(t - now_.t, slope_);
  q = slope_.head(n_);
  v = slope_.tail(n_);
}

MethodInfo bdf_method() {
  return {.name = "bdf",
          .summary = "backward differentiation of order 1 to 5 on the stabilised (ggl) equations",
          .forms = {Form::ggl},
          .make = make_method<Bdf>,
          .tightest_rtol = 1e-9,
          .rounding_floor = Bdf::rounding_floor,
          .shortfall = 3.0,
          .step_budget = 20'000'000};
}

}  // namespace raak

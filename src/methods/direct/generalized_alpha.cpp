#include "methods/direct/generalized_alpha.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/catalogue.h"
#include "methods/control/error_norm.h"
#include "methods/control/first_step.h"
#include "methods/control/judged_tolerances.h"

namespace raak {
namespace {

constexpr double rho = 0.8;  // spectral radius at infinite frequency
constexpr double alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
constexpr double alpha_f = rho / (rho + 1.0);
constexpr double shift = alpha_m - alpha_f;
constexpr double gamma_ = 0.5 - shift;
constexpr double beta = 0.25 * (gamma_ + 0.5) * (gamma_ + 0.5);
constexpr double acceleration_share = (1.0 - alpha_f) / (1.0 - alpha_m);  // da1 / dv1'

// Local errors in units of h^3 v'' and h^3 v'''.
constexpr double error_q = 0.5 * shift + beta - 1.0 / 6.0;
constexpr double error_v = shift * (alpha_m - 0.5) + (0.5 - shift) * (0.5 + shift) - 1.0 / 6.0;

// The errors h^3 of many steps add up to h^2: the error of one step is held at this part of the tolerance so that the
// sum follows the request, as far as rounding errors let it.
double share_of_alpha_step(const Tolerances& tolerances) {
  const double rtol = tolerances.q.rtol;
  constexpr double least = GeneralizedAlpha::rounding_floor;
  const double smallest = 3.0 * least * std::sqrt(least);
  return std::max(std::min(0.1, 3.0 * std::sqrt(rtol)), smallest / rtol);
}

}  // namespace

GeneralizedAlpha::GeneralizedAlpha(const ConstrainedSystem& system, Form form, const Tolerances& tolerances)
    : system_(system),
      tolerances_(judged_for(system, tolerances)),
      stage_(system, form, tolerances),
      share_of_step_(share_of_alpha_step(tolerances)),
      positions_only_(form == Form::index3) {
  const Eigen::Index n = system.coordinates();
  now_ = next_ = before_ = State::of_size(n, system.rows());
  lambda_ = Vector::Zero(system.rows());
  jerk_ = next_jerk_ = smooth_ = next_smooth_ = auxiliary_ = change_ = next_change_ = q_base_ = v_base_ = e_q_ = e_v_ =
      Vector::Zero(n);
}

double GeneralizedAlpha::begin(const State& start, double until) {
  now_ = before_ = next_ = start;
  const double h = choose_first_step(system_, now_, until, 3, tolerances_, statistics());
  // The jerk at the start, by a difference along the motion.
  const double dt = 1e-3 * h;
  next_.t = now_.t + dt;
  next_.q = now_.q + dt * now_.v + 0.5 * dt * dt * now_.a;
  next_.v = now_.v + dt * now_.a;
  update_accelerations(system_, next_);
  ++statistics().evaluations;
  smooth_ = now_.a;
  jerk_ = change_ = (next_.a - now_.a) / dt;
  return h;
}

Attempt GeneralizedAlpha::attempt(double to) {
  const double h = to - now_.t;
  Attempt result;
  result.retry_step = 0.5 * h;
  auxiliary_ = now_.a + shift * h * jerk_;
  // a1 = acceleration_share x + known
  next_.a = (alpha_f * now_.a - alpha_m * auxiliary_) / (1.0 - alpha_m);
  q_base_ = now_.q + h * now_.v + h * h * ((0.5 - beta) * auxiliary_ + beta * next_.a);
  v_base_ = now_.v + h * ((1.0 - gamma_) * auxiliary_ + gamma_ * next_.a);
  next_.t = to;
  next_.a = smooth_ + h * change_;
  next_.lambda = now_.lambda;
  if (!stage_.solve(next_, q_base_, v_base_, h * gamma_ * acceleration_share, h * h * beta * acceleration_share,
                    fixed_steps_ ? 0.0 : 0.01 * share_of_step_, statistics())) {
    just_rejected_ = true;
    result.trouble = "Newton's method for the end of the step does not converge";
    return result;
  }
  next_jerk_ = (acceleration_share * next_.a + (alpha_f * now_.a - alpha_m * auxiliary_) / (1.0 - alpha_m) - next_.a) /
               (shift * h);
  next_smooth_ = next_.a;
  if (positions_only_) {
    // Rounding errors of q / h open the constraints on the velocities: they would be taken for errors of the step, and
    // short steps would make them larger.
    e_v_ = next_.v;
    system_.correct_velocity(next_.t, next_.q.data(), e_v_.data());
    system_.accelerate(next_.t, next_.q.data(), e_v_.data(), next_smooth_.data(), lambda_.data());
    ++statistics().evaluations;
    ++statistics().factorizations;
  }
  const double error = error_of_step(h) / share_of_step_;
  if (!std::isfinite(error)) {
    result.trouble = "the error of the step is not finite";
    return result;
  }
  const double factor = 0.9 * std::pow(std::max(error, 1e-6), -1.0 / 3.0);
  if (error > 1.0 && !fixed_steps_) {
    just_rejected_ = true;
    result.retry_step = h * std::clamp(factor, 0.2, 0.9);
    return result;
  }
  next_h_ = h * std::clamp(factor, 0.3, just_rejected_ ? 1.0 : positions_only_ ? 1.1 : 2.0);
  result.acceptable = true;
  return result;
}

double GeneralizedAlpha::error_of_step(double h) {
  next_change_ = (next_smooth_ - smooth_) / h;
  e_q_ = error_q * h * h * h * next_change_;
  const double last = now_.t - before_.t;
  if (last == 0.0) e_v_.setZero();
  else e_v_ = (next_change_ - change_) / (0.5 * (h + last));
  e_v_ *= error_v * h * h * h;
  return weighted_error(e_q_, e_v_, now_, next_, tolerances_);
}

double GeneralizedAlpha::accept() {
  std::swap(before_, now_);
  std::swap(now_, next_);
  std::swap(jerk_, next_jerk_);
  std::swap(change_, next_change_);
  std::swap(smooth_, next_smooth_);
  just_rejected_ = false;
  return next_h_;
}

// Cubic polynomials through values and derivatives at both ends: of order 3, more than the method's.
void GeneralizedAlpha::interpolate(double t, Vector& q, Vector& v) {
  const double h = now_.t - before_.t;
  const double s = (t - before_.t) / h;
  const double r = 1.0 - s;
  const double from = r * r * (1.0 + 2.0 * s);
  const double to = s * s * (1.0 + 2.0 * r);
  q = from * before_.q + to * now_.q + (h * s * r) * (r * before_.v - s * now_.v);
  v = from * before_.v + to * now_.v + (h * s * r) * (r * before_.a - s * now_.a);
}

MethodInfo generalized_alpha_method() {
  return {.name = "generalized-alpha",
          .summary = "generalized-alpha of order 2 on the index-3 or stabilised equations",
          .forms = {Form::ggl, Form::index3},
          .make = make_method<GeneralizedAlpha>,
          .tightest_rtol = 1e-6,
          .rounding_floor = GeneralizedAlpha::rounding_floor,
          .step_budget = 5'000'000,
          .claims = {{Form::ggl, 96, 192, 2, 2}, {Form::index3, 96, 192, 2, 2}}};
}

}  // namespace raak

#include "methods/multistep/adams.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "methods/catalogue.h"
#include "methods/control/error_norm.h"
#include "methods/control/judged_tolerances.h"

namespace raak {
namespace {

// The error of one step is held at this part of the tolerance: the many steps of a multistep method add up to more.
constexpr double share_of_adams_step = 0.01;

}  // namespace

Adams::Adams(const ConstrainedSystem& system, std::unique_ptr<Chart> chart, const Tolerances& tolerances)
    : system_(system),
      chart_(std::move(chart)),
      tolerances_(judged_for(system, tolerances)),
      n_(system.coordinates()),
      formula_(2 * n_, [this](const Vector& e) { return size_of(e); }) {
  now_ = next_ = State::of_size(n_, system.rows());
  y_ = predicted_ = corrected_ = f_ = work_ = Vector::Zero(2 * n_);
  e_q_ = e_v_ = Vector::Zero(n_);
  lambda_ = Vector::Zero(system.rows());
}

double Adams::size_of(const Vector& e) {
  e_q_ = e.head(n_);
  e_v_ = e.tail(n_);
  chart_->restrict_error(e_q_, e_v_);
  return weighted_error(e_q_, e_v_, now_, now_, tolerances_) / share_of_adams_step;
}

void Adams::check_reachable() const {
  // Differences of order k lose their leading digits: below this the error estimate measures rounding only.
  constexpr double rounding = 4.0 * std::numeric_limits<double>::epsilon() / share_of_adams_step;
  const double noise = rounding * weighted_error(now_.q, now_.v, now_, now_, tolerances_);
  if (noise <= 1.0) return;
  throw Error(ErrorKind::computation,
              fmt::format("a tolerance of {:.1e} cannot be met at t = {:.6g} s: rounding alone is {:.2g} times larger. "
                          "The smallest tolerance this method reaches here is {:.1e}; try --rtol {:.0e}, or --method "
                          "dop853",
                          tolerances_.q.rtol, now_.t, noise, tolerances_.q.rtol * noise,
                          std::pow(10.0, std::ceil(std::log10(tolerances_.q.rtol * noise)))));
}

double Adams::begin(const State& start, double until) {
  now_ = next_ = start;
  chart_->begin(now_, statistics());
  check_reachable();
  y_ << now_.q, now_.v;
  f_ << now_.v, now_.a;
  return formula_.begin(f_, until - now_.t);
}

bool Adams::evaluate(const Vector& y) {
  next_.q = y.head(n_);
  next_.v = y.tail(n_);
  // The prediction is brought to the constraints as well: off them its multipliers would say nothing of the error.
  if (!chart_->restore_end(next_.t, next_.q, next_.v, statistics())) return false;
  update_accelerations(system_, next_);
  ++statistics().evaluations;
  f_.head(n_) = next_.v;
  f_.tail(n_) = next_.a;
  return f_.allFinite();
}

Attempt Adams::attempt(double to) {
  Attempt result;
  next_.t = to;
  formula_.predict(to - now_.t, y_, predicted_);
  if (!evaluate(predicted_)) {
    result.retry_step = formula_.reject();
    result.trouble = "the predicted position could not be brought back to the constraints";
    return result;
  }
  const double error = formula_.error(f_);
  if (!(error <= 1.0) && !(fixed_steps_ && std::isfinite(error))) {
    result.retry_step = formula_.reject();
    return result;
  }
  formula_.correct(predicted_, corrected_);
  lambda_ = next_.lambda;
  if (!evaluate(corrected_)) {
    result.retry_step = formula_.reject();
    result.trouble = "the corrected position could not be brought back to the constraints";
    return result;
  }
  // The multipliers follow from q and v: the part of their change in the correction that q and v err by.
  lambda_ = formula_.error_share() * (next_.lambda - lambda_);
  const double lambda_error =
      weighted_error(lambda_, now_.lambda, next_.lambda, tolerances_.lambda) / share_of_adams_step;
  if (!(lambda_error <= 1.0) && !(fixed_steps_ && std::isfinite(lambda_error))) {
    result.retry_step = formula_.reject();
    return result;
  }
  magnification_ = error > 0.0 ? std::max(1.0, lambda_error / error) : 1.0;
  result.acceptable = true;
  return result;
}

double Adams::accept() {
  std::swap(now_, next_);
  y_.head(n_) = now_.q;
  y_.tail(n_) = now_.v;
  const double next_step = formula_.accept(f_, magnification_);
  chart_->after_step(now_, statistics());
  return next_step;
}

void Adams::interpolate(double t, Vector& q, Vector& v) {
  formula_.interpolate(t - now_.t, y_, work_);
  q = work_.head(n_);
  v = work_.tail(n_);
  chart_->restore_between(t, q, v);
}

MethodInfo adams_method() {
  return {.name = "adams",
          .summary = "Adams-Bashforth-Moulton of order 1 to 12, projected onto the constraints after each step",
          .forms = all_forms,
          .make = make_projected<Adams>,
          .refuses_tiny_tolerance = true};
}

}  // namespace raak

#include "methods/runge_kutta/dopri5.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/control/error_norm.h"
#include "methods/control/first_step.h"
#include "methods/runge_kutta/dopri5_table.h"

namespace raak {
namespace {

using namespace dopri5;

// The error of one step is held at this part of the tolerance, so that what a run adds up stays near the request.
constexpr double share_of_step = 0.3;

}  // namespace

Dopri5::Dopri5(const ConstrainedSystem& system, std::unique_ptr<Chart> chart, const Tolerances& tolerances)
    : system_(system), chart_(std::move(chart)), tolerances_(tolerances), refined_(system, tolerances) {
  const Eigen::Index n = system.coordinates();
  now_ = next_ = before_ = State::of_size(n, system.rows());
  kq_ = kv_ = Matrix::Zero(n, stages);
  dense_q_ = dense_v_ = Matrix::Zero(n, 5);
  q_ = v_ = e_q_ = e_v_ = Vector::Zero(n);
  lambda_ = Vector::Zero(system.rows());
}

double Dopri5::begin(const State& start, double until) {
  now_ = before_ = start;
  chart_->begin(now_, statistics());
  return choose_first_step(system_, now_, until, 5, tolerances_, statistics());
}

void Dopri5::combine(int i, double h, Vector& q, Vector& v) const {
  const auto row = weights(a[static_cast<std::size_t>(i)], i);
  q.noalias() = kq_.leftCols(i) * row;
  v.noalias() = kv_.leftCols(i) * row;
  q = now_.q + h * q;
  v = now_.v + h * v;
}

Attempt Dopri5::attempt(double to) {
  const double h = to - now_.t;
  Attempt result;
  result.retry_step = 0.25 * h;
  kq_.col(0) = now_.v;
  kv_.col(0) = now_.a;
  for (int i = 1; i < stages - 1; ++i) {
    const double t = now_.t + c[static_cast<std::size_t>(i)] * h;
    combine(i, h, q_, v_);
    ++statistics().evaluations;
    if (chart_->restore_stage(t, q_, v_, statistics())) {
      system_.accelerate(t, q_.data(), v_.data(), kv_.col(i).data(), lambda_.data());
      kq_.col(i) = v_;
      if (kv_.col(i).allFinite()) continue;
    }
    result.trouble = "the constraints could not be met or the accelerations became infinite inside the step";
    return result;
  }
  next_.t = to;
  combine(stages - 1, h, next_.q, next_.v);
  if (!chart_->restore_end(next_.t, next_.q, next_.v, statistics())) {
    result.trouble = "the end of the step could not be brought back to the constraints";
    return result;
  }
  update_accelerations(system_, next_);
  ++statistics().evaluations;
  kq_.col(stages - 1) = next_.v;
  kv_.col(stages - 1) = next_.a;
  return control_.judge(h, error_of_step(h) / share_of_step, fixed_steps_);
}

// Of q and v; of lambda, how far it moves when q and v are off by their estimated errors.
double Dopri5::error_of_step(double h) {
  e_q_.noalias() = kq_ * weights(error_weights, stages);
  e_v_.noalias() = kv_ * weights(error_weights, stages);
  chart_->restrict_error(e_q_, e_v_);
  e_q_ *= h;
  e_v_ *= h;
  const double error = std::max(weighted_error(e_q_, now_.q, next_.q, tolerances_.q),
                                weighted_error(e_v_, now_.v, next_.v, tolerances_.v));
  if (!std::isfinite(tolerances_.lambda.atol) || lambda_.size() == 0) return error;
  q_ = next_.q + e_q_;
  v_ = next_.v + e_v_;
  system_.accelerate(next_.t, q_.data(), v_.data(), e_v_.data(), lambda_.data());
  ++statistics().evaluations;
  lambda_ -= next_.lambda;
  return std::max(error, weighted_error(lambda_, now_.lambda, next_.lambda, tolerances_.lambda));
}

double Dopri5::accept() {
  const double h = next_.t - now_.t;
  dense_terms(kq_, now_.q, next_.q, h, dense_q_);
  dense_terms(kv_, now_.v, next_.v, h, dense_v_);
  std::swap(before_, now_);
  std::swap(now_, next_);
  refined_.forget();
  chart_->after_step(now_, statistics());
  return control_.accept();
}

void Dopri5::interpolate(double t, Vector& q, Vector& v) {
  refined_.interpolate(
      before_, now_, t, [this](double at, Vector& q_at, Vector& v_at) { interpolate_own(at, q_at, v_at); }, q, v);
}

void Dopri5::interpolate_own(double t, Vector& q, Vector& v) const {
  const double s = (t - before_.t) / (now_.t - before_.t);
  dense_value(dense_q_, s, q);
  dense_value(dense_v_, s, v);
}

}  // namespace raak

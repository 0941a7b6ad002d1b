#include "methods/runge_kutta/dop853.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/control/error_norm.h"
#include "methods/control/first_step.h"

namespace raak {
namespace {

using namespace dop853;

// The error of one step is held at this part of the tolerance, so that what a run adds up stays near the request.
constexpr double share_of_step = 0.3;

auto weights(const std::array<double, all_stages>& row, int count) {
  return Eigen::Map<const Vector>(row.data(), count);
}

}  // namespace

Dop853::Dop853(const ConstrainedSystem& system, std::unique_ptr<Chart> chart, const Tolerances& tolerances)
    : system_(system), chart_(std::move(chart)), tolerances_(tolerances), refined_(system, tolerances) {
  const Eigen::Index n = system.coordinates();
  now_ = next_ = before_ = State::of_size(n, system.rows());
  kq_ = kv_ = done_kq_ = done_kv_ = Matrix::Zero(n, all_stages);
  dense_q_ = dense_v_ = Matrix::Zero(n, 8);
  q_ = v_ = e5_q_ = e5_v_ = e3_q_ = e3_v_ = Vector::Zero(n);
  lambda_ = Vector::Zero(system.rows());
}

double Dop853::begin(const State& start, double until) {
  now_ = before_ = start;
  chart_->begin(now_, statistics());
  kq_.col(0) = now_.v;
  kv_.col(0) = now_.a;
  return choose_first_step(system_, now_, until, 8, tolerances_, statistics());
}

void Dop853::combine(int i, double h, const State& from, Vector& q, Vector& v) const {
  const auto row = weights(a[static_cast<std::size_t>(i)], i);
  q.noalias() = kq_.leftCols(i) * row;
  v.noalias() = kv_.leftCols(i) * row;
  q = from.q + h * q;
  v = from.v + h * v;
}

bool Dop853::stage(int i, double h, const State& from) {
  const double t = from.t + c[static_cast<std::size_t>(i)] * h;
  combine(i, h, from, q_, v_);
  if (!chart_->restore_stage(t, q_, v_, statistics())) return false;
  system_.accelerate(t, q_.data(), v_.data(), kv_.col(i).data(), lambda_.data());
  kq_.col(i) = v_;
  return kv_.col(i).allFinite();
}

Attempt Dop853::attempt(double to) {
  const double h = to - now_.t;
  Attempt result;
  result.retry_step = 0.25 * h;
  for (int i = 1; i < stages; ++i) {
    ++statistics().evaluations;
    if (!stage(i, h, now_)) {
      result.trouble = "the constraints could not be met or the accelerations became infinite inside the step";
      return result;
    }
  }
  next_.t = to;
  combine(stages, h, now_, next_.q, next_.v);
  if (!chart_->restore_end(next_.t, next_.q, next_.v, statistics())) {
    result.trouble = "the end of the step could not be brought back to the constraints";
    return result;
  }
  double error = error_of_step(h);
  update_accelerations(system_, next_);
  ++statistics().evaluations;
  if (std::isfinite(tolerances_.lambda.atol)) error = std::max(error, multiplier_error(h));
  error /= share_of_step;
  if (!std::isfinite(error)) {
    result.trouble = "the error of the step is not finite";
    return result;
  }
  const double factor = std::clamp(0.9 * std::pow(error, -1.0 / 8.0), 1.0 / 3.0, just_rejected_ ? 1.0 : 6.0);
  next_h_ = h * factor;
  if (error > 1.0 && !fixed_steps_) {
    just_rejected_ = true;
    result.retry_step = next_h_;
    return result;
  }
  result.acceptable = next_.a.allFinite();
  if (!result.acceptable) result.trouble = "the accelerations became infinite";
  return result;
}

double Dop853::error_of_step(double h) {
  const auto w5 = Eigen::Map<const Vector>(error5.data(), stages);
  const auto b = weights(a[stages], stages);
  e5_q_.noalias() = kq_.leftCols(stages) * w5;
  e5_v_.noalias() = kv_.leftCols(stages) * w5;
  e3_q_.noalias() = kq_.leftCols(stages) * b;
  e3_v_.noalias() = kv_.leftCols(stages) * b;
  e3_q_ -= bhat1 * kq_.col(0) + bhat9 * kq_.col(8) + bhat12 * kq_.col(11);
  e3_v_ -= bhat1 * kv_.col(0) + bhat9 * kv_.col(8) + bhat12 * kv_.col(11);
  chart_->restrict_error(e5_q_, e5_v_);
  chart_->restrict_error(e3_q_, e3_v_);
  const auto size = [&](const Vector& q, const Vector& v) {
    return std::max(weighted_error(q, now_.q, next_.q, tolerances_.q),
                    weighted_error(v, now_.v, next_.v, tolerances_.v));
  };
  const double five = size(e5_q_, e5_v_);
  const double three = size(e3_q_, e3_v_);
  const double denominator = five * five + 0.01 * three * three;
  scale_ = denominator > 0.0 ? five / std::sqrt(denominator) : 0.0;
  return std::max(1e-12, std::abs(h) * five * scale_);
}

// How far the multipliers move when q and v are off by their estimated errors.
double Dop853::multiplier_error(double h) {
  q_ = next_.q + h * scale_ * e5_q_;
  v_ = next_.v + h * scale_ * e5_v_;
  system_.accelerate(next_.t, q_.data(), v_.data(), e3_v_.data(), lambda_.data());
  ++statistics().evaluations;
  lambda_ -= next_.lambda;
  return weighted_error(lambda_, now_.lambda, next_.lambda, tolerances_.lambda);
}

double Dop853::accept() {
  std::swap(before_, now_);
  std::swap(now_, next_);
  std::swap(done_kq_, kq_);
  std::swap(done_kv_, kv_);
  done_h_ = now_.t - before_.t;
  dense_ready_ = false;
  refined_.forget();
  just_rejected_ = false;
  kq_.col(0) = now_.v;
  kv_.col(0) = now_.a;
  chart_->after_step(now_, statistics());
  return next_h_;
}

void Dop853::prepare_dense() {
  kq_.leftCols(stages).swap(done_kq_.leftCols(stages));
  kv_.leftCols(stages).swap(done_kv_.leftCols(stages));
  kq_.col(stages) = now_.v;
  kv_.col(stages) = now_.a;
  const Statistics counted = statistics();  // looking inside a step is not part of the integration
  for (int i = stages + 1; i < all_stages; ++i) stage(i, done_h_, before_);
  statistics() = counted;
  const auto terms = [&](const Matrix& k, const Vector& from, const Vector& to, Matrix& y) {
    y.col(0) = from;
    y.col(1) = to - from;
    y.col(2) = done_h_ * k.col(0) - y.col(1);
    y.col(3) = y.col(1) - done_h_ * k.col(stages) - y.col(2);
    for (int d = 0; d < 4; ++d) {
      y.col(4 + d).noalias() = k * weights(dense[static_cast<std::size_t>(d)], all_stages);
      y.col(4 + d) *= done_h_;
    }
  };
  terms(kq_, before_.q, now_.q, dense_q_);
  terms(kv_, before_.v, now_.v, dense_v_);
  kq_.leftCols(stages).swap(done_kq_.leftCols(stages));
  kv_.leftCols(stages).swap(done_kv_.leftCols(stages));
  dense_ready_ = true;
}

void Dop853::interpolate(double t, Vector& q, Vector& v) {
  refined_.interpolate(
      before_, now_, t, [this](double at, Vector& q_at, Vector& v_at) { interpolate_own(at, q_at, v_at); }, q, v);
}

void Dop853::interpolate_own(double t, Vector& q, Vector& v) {
  if (!dense_ready_) prepare_dense();
  const double s = (t - before_.t) / done_h_;
  const double r = 1.0 - s;
  const auto value = [&](const Matrix& y, Vector& x) {
    x = y.col(7);
    for (int i = 6; i >= 0; --i) x = y.col(i) + (i % 2 == 0 ? s : r) * x;
  };
  value(dense_q_, q);
  value(dense_v_, v);
}

}  // namespace raak

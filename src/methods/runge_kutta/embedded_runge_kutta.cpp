#include "methods/runge_kutta/embedded_runge_kutta.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/catalogue.h"
#include "methods/control/error_norm.h"
#include "methods/control/first_step.h"
#include "methods/control/judged_tolerances.h"

namespace raak {
namespace {

// The error of one step is held at this part of the tolerance, so that what a run adds up stays near the request.
constexpr double share_of_explicit_step = 0.3;

}  // namespace

template <class Table>
EmbeddedRungeKutta<Table>::EmbeddedRungeKutta(const ConstrainedSystem& system, std::unique_ptr<Chart> chart,
                                              const Tolerances& tolerances)
    : system_(system),
      chart_(std::move(chart)),
      tolerances_(judged_for(system, tolerances)),
      dense_(system, tolerances),
      control_(Table::limits) {
  const Eigen::Index n = system.coordinates();
  now_ = next_ = before_ = State::of_size(n, system.rows());
  kq_ = kv_ = done_kq_ = done_kv_ = Matrix::Zero(n, Table::stages);
  q_ = v_ = e_q_ = e_v_ = Vector::Zero(n);
  lambda_ = Vector::Zero(system.rows());
}

template <class Table>
double EmbeddedRungeKutta<Table>::begin(const State& start, double until) {
  now_ = before_ = start;
  chart_->begin(now_, statistics());
  return choose_first_step(system_, now_, until, Table::order, tolerances_, statistics());
}

template <class Table>
void EmbeddedRungeKutta<Table>::combine(int i, double h, const State& from, const Matrix& kq, const Matrix& kv,
                                        Vector& q, Vector& v) const {
  const auto row = weights(Table::a[static_cast<std::size_t>(i)], i);
  q.noalias() = kq.leftCols(i) * row;
  v.noalias() = kv.leftCols(i) * row;
  q = from.q + h * q;
  v = from.v + h * v;
}

template <class Table>
bool EmbeddedRungeKutta<Table>::stage(int i, double h, const State& from, Matrix& kq, Matrix& kv) {
  const double t = from.t + Table::c[static_cast<std::size_t>(i)] * h;
  combine(i, h, from, kq, kv, q_, v_);
  if (!chart_->restore_stage(t, q_, v_, statistics())) return false;
  system_.accelerate(t, q_.data(), v_.data(), kv.col(i).data(), lambda_.data());
  kq.col(i) = v_;
  return kv.col(i).allFinite();
}

template <>
double EmbeddedRungeKutta<Dopri5Table>::error_of_step(double h) {
  const auto weight = weights(Dopri5Table::error, Dopri5Table::stages);
  e_q_.noalias() = kq_ * weight;
  e_v_.noalias() = kv_ * weight;
  chart_->restrict_error(e_q_, e_v_);
  e_q_ *= h;
  e_v_ *= h;
  const double error = weighted_error(e_q_, e_v_, now_, next_, tolerances_);
  if (!std::isfinite(tolerances_.lambda.atol) || lambda_.size() == 0) return error;
  return std::max(error, multiplier_error());
}

template <>
double EmbeddedRungeKutta<Dop853Table>::error_of_step(double h) {
  using Table = Dop853Table;
  const auto kq = kq_.leftCols(Table::end), kv = kv_.leftCols(Table::end);
  const auto weight = weights(Table::error, Table::end), b = weights(Table::a[Table::end], Table::end);
  e_q_.noalias() = kq * weight;
  e_v_.noalias() = kv * weight;
  q_.noalias() = kq * b;
  v_.noalias() = kv * b;
  q_ -= Table::bhat1 * kq.col(0) + Table::bhat9 * kq.col(8) + Table::bhat12 * kq.col(11);
  v_ -= Table::bhat1 * kv.col(0) + Table::bhat9 * kv.col(8) + Table::bhat12 * kv.col(11);
  chart_->restrict_error(e_q_, e_v_);
  chart_->restrict_error(q_, v_);
  const double five = weighted_error(e_q_, e_v_, now_, next_, tolerances_);
  const double three = weighted_error(q_, v_, now_, next_, tolerances_);
  const double denominator = five * five + 0.01 * three * three;
  const double scale = denominator > 0.0 ? five / std::sqrt(denominator) : 0.0;
  const double error = std::max(1e-12, std::abs(h) * five * scale);
  if (!std::isfinite(tolerances_.lambda.atol)) return error;
  e_q_ *= h * scale;
  e_v_ *= h * scale;
  return std::max(error, multiplier_error());
}

// How far the multipliers move when q and v are off by their estimated errors.
template <class Table>
double EmbeddedRungeKutta<Table>::multiplier_error() {
  q_ = next_.q + e_q_;
  v_ = next_.v + e_v_;
  system_.accelerate(next_.t, q_.data(), v_.data(), e_v_.data(), lambda_.data());
  ++statistics().evaluations;
  lambda_ -= next_.lambda;
  return weighted_error(lambda_, now_.lambda, next_.lambda, tolerances_.lambda);
}

template <class Table>
Attempt EmbeddedRungeKutta<Table>::attempt(double to) {
  const double h = to - now_.t;
  kq_.col(0) = now_.v;
  kv_.col(0) = now_.a;
  for (int i = 1; i < Table::end; ++i) {
    ++statistics().evaluations;
    if (!stage(i, h, now_, kq_, kv_))
      return {false, 0.25 * h, "the constraints could not be met or the accelerations became infinite inside the step"};
  }
  next_.t = to;
  combine(Table::end, h, now_, kq_, kv_, next_.q, next_.v);
  if (!chart_->restore_end(next_.t, next_.q, next_.v, statistics()))
    return {false, 0.25 * h, "the end of the step could not be brought back to the constraints"};
  update_accelerations(system_, next_);
  ++statistics().evaluations;
  kq_.col(Table::end) = next_.v;
  kv_.col(Table::end) = next_.a;
  const Attempt result = control_.judge(h, error_of_step(h) / share_of_explicit_step, fixed_steps_);
  if (result.acceptable && !next_.a.allFinite()) return {false, 0.25 * h, "the accelerations became infinite"};
  return result;
}

template <class Table>
double EmbeddedRungeKutta<Table>::accept() {
  std::swap(before_, now_);
  std::swap(now_, next_);
  std::swap(done_kq_, kq_);
  std::swap(done_kv_, kv_);
  dense_ready_ = false;
  chart_->after_step(now_, statistics());
  return control_.accept();
}

template <class Table>
void EmbeddedRungeKutta<Table>::interpolate(double t, Vector& q, Vector& v) {
  if (!dense_ready_) {
    const Statistics counted = statistics();  // looking inside a step is not part of the integration
    for (int i = Table::end + 1; i < Table::stages; ++i) stage(i, now_.t - before_.t, before_, done_kq_, done_kv_);
    statistics() = counted;
    dense_.set_step(before_, now_, done_kq_, done_kv_);
    dense_ready_ = true;
  }
  dense_.interpolate(before_, now_, t, q, v);
}

template class EmbeddedRungeKutta<Dopri5Table>;
template class EmbeddedRungeKutta<Dop853Table>;

MethodInfo dop853_method() {
  return {.name = "dop853",
          .summary = "explicit Runge-Kutta of order 8, projected onto the constraints after each step",
          .forms = all_forms,
          .make = make_projected<Dop853>,
          .shortfall = 0.0};
}

MethodInfo dopri5_method() {
  return {.name = "dopri5",
          .summary = "explicit Runge-Kutta of order 5, projected onto the constraints after each step",
          .forms = all_forms,
          .make = make_projected<Dopri5>,
          .claims = {{Form::index1, 32, 64, 5, 5}}};
}

}  // namespace raak

#include "methods/runge_kutta/half_explicit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/catalogue.h"
#include "methods/control/error_norm.h"
#include "methods/control/first_step.h"
#include "methods/control/judged_tolerances.h"

namespace raak {
namespace {

using Weights = Dopri5Table::Weights;
constexpr int stages = Dopri5Table::stages;
constexpr const auto& a = Dopri5Table::a;
constexpr const Weights& c = Dopri5Table::c;

// The eighth stage.
constexpr double c8 = 19.0 / 20.0;
constexpr Weights a8{-18611506045861.0 / 19738176307200.0,
                     59332529.0 / 14479296.0,
                     -2509441598627.0 / 893904224850.0,
                     2763523204159.0 / 3289696051200.0,
                     -41262869588913.0 / 116235927142400.0,
                     46310205821.0 / 287848404480.0,
                     -3280.0 / 75413.0};

// The part of the tolerance that the error of one step may take. The constraints of a stage are divided by its part of
// the step, and their rounding errors with them: no step can be held to less than some thousand of those.
double share_of_half_explicit_step(const Tolerances& tolerances) {
  return std::max(0.3, 1e-12 / std::min(tolerances.q.rtol, tolerances.v.rtol));
}

const Weights& row_of(int i) {
  return i < stages ? a[static_cast<std::size_t>(i)] : a8;
}

}  // namespace

HalfExplicit::HalfExplicit(const ConstrainedSystem& system, Form form, const Tolerances& tolerances)
    : system_(system),
      tolerances_(judged_for(system, tolerances)),
      chart_(system, form),
      n_(system.coordinates()),
      m_(system.rows()),
      equations_(system),
      dense_(system, tolerances),
      control_(Dopri5Table::limits) {
  now_ = next_ = before_ = State::of_size(n_, m_);
  Q_ = V_ = A_ = Matrix::Zero(n_, stages);
  r_ = x_ = Vector::Zero(n_ + m_);
  q_ = v_ = f_ = e_q_ = e_v_ = Vector::Zero(n_);
  c_ = lambda_ = Vector::Zero(m_);
}

double HalfExplicit::begin(const State& start, double until) {
  now_ = before_ = start;
  accelerations_known_ = true;
  first_a_ = start.a;
  return choose_first_step(system_, now_, until, 5, tolerances_, statistics());
}

// The stages satisfy the constraints on velocities, not on accelerations: what they leave is of lower order.
const State& HalfExplicit::current() const {
  if (!accelerations_known_) update_accelerations(system_, now_);
  accelerations_known_ = true;
  return now_;
}

void HalfExplicit::combine(int row, int count, double h, Vector& q, Vector& v) const {
  const auto weight = weights(row_of(row), count);
  const auto known = weights(row_of(row), count - 1);
  q.noalias() = V_.leftCols(count) * weight;
  v.noalias() = A_.leftCols(count - 1) * known;
  q = now_.q + h * q;
  v = now_.v + h * v;
}

// The acceleration of stage i from the constraints at stage i + 1, whose position and velocity are left in q_ and v_.
bool HalfExplicit::stage(int i, double h) {
  const double t = now_.t + c[static_cast<std::size_t>(i)] * h;
  const double t_next = now_.t + (i + 1 < stages ? c[static_cast<std::size_t>(i + 1)] : c8) * h;
  const double last = h * row_of(i + 1)[static_cast<std::size_t>(i)];
  q_ = Q_.col(i);
  v_ = V_.col(i);
  equations_.set_stage(t, q_);
  system_.force(t, q_, v_, f_);
  combine(i + 1, i + 1, h, q_, v_);
  equations_.factor(t_next, q_);
  system_.velocity_constraint(t_next, q_, v_, c_);
  r_.head(n_) = f_;
  r_.tail(m_) = -c_ / last;
  equations_.solve(r_, x_);
  ++statistics().evaluations;
  ++statistics().factorizations;
  A_.col(i) = x_.head(n_);
  lambda_ = x_.tail(m_);
  v_ += last * x_.head(n_);
  return v_.allFinite() && q_.allFinite();
}

Attempt HalfExplicit::attempt(double to) {
  const double h = to - now_.t;
  Attempt result;
  result.retry_step = 0.25 * h;
  result.trouble = "the constraints could not be met or the accelerations became infinite inside the step";
  Q_.col(0) = now_.q;
  V_.col(0) = now_.v;
  A_.col(0) = first_a_;
  Q_.col(1) = now_.q + h * a[1][0] * now_.v;
  V_.col(1) = now_.v + h * a[1][0] * first_a_;
  for (int i = 1; i < stages - 1; ++i) {
    if (!stage(i, h)) return result;
    Q_.col(i + 1) = q_;
    V_.col(i + 1) = v_;
  }
  next_.t = to;
  next_.q = q_;
  next_.v = v_;
  if (m_ > 0 && !chart_.restore_end(next_.t, next_.q, next_.v, statistics())) return result;
  Q_.col(stages - 1) = next_.q;
  V_.col(stages - 1) = next_.v;
  if (!stage(stages - 1, h)) return result;
  return control_.judge(h, error_of_step(h) / share_of_half_explicit_step(tolerances_), fixed_steps_);
}

double HalfExplicit::error_of_step(double h) {
  const auto weight = weights(Dopri5Table::error, stages);
  e_q_.noalias() = V_ * weight;
  e_v_.noalias() = A_ * weight;
  e_q_ *= h;
  e_v_ *= h;
  return weighted_error(e_q_, e_v_, now_, next_, tolerances_);
}

double HalfExplicit::accept() {
  dense_.set_step(now_, next_, V_, A_);
  std::swap(before_, now_);
  std::swap(now_, next_);
  first_a_ = A_.col(stages - 1);
  accelerations_known_ = false;
  return control_.accept();
}

MethodInfo half_explicit_method() {
  return {.name = "half-explicit",
          .summary = "half-explicit Runge-Kutta of order 5 on the index-2 equations",
          .forms = {Form::ggl, Form::index2},
          .make = make_method<HalfExplicit>,
          .claims = {{Form::index2, 32, 64, 5, 5}, {Form::ggl, 32, 64, 5, 5}}};
}

}  // namespace raak

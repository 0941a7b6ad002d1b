#include "methods/direct/radau_direct.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/control/error_norm.h"
#include "methods/control/first_step.h"
#include "methods/control/judged_tolerances.h"

namespace raak {
namespace {

constexpr double contraction_of_long_steps =
    0.25;  // a contraction of Newton's method beyond which shorter steps are cheaper

// The method is of order 2s - 1, its error estimate of order s. Where superconvergence holds, a tolerance tol is met
// when the estimate is below tol^((s+1)/(2s)) (RADAU); where it does not (unresolved oscillations, dense output), when
// it is below tol: half way between.
Tolerance of_estimate(Tolerance t, int s) {
  const double rtol = 0.1 * std::pow(t.rtol, (3.0 * s + 1.0) / (4.0 * s));
  const double share = rtol / t.rtol;
  return {rtol, share * t.atol, share * t.length_atol, share * t.atols};
}

Matrix matrix_of(const Collocation& rule, int s) {
  Matrix A(s, s);
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j) A(i, j) = rule.a(i, j);
  return A;
}

// Value at x of the Lagrange polynomial j of the nodes.
double lagrange(const std::vector<double>& nodes, std::size_t j, double x) {
  double product = 1.0;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    if (k != j) product *= (x - nodes[k]) / (nodes[j] - nodes[k]);
  return product;
}

}  // namespace

RadauDirect::RadauDirect(const ConstrainedSystem& system, Form form, const Tolerances& tolerances, int stages)
    : system_(system),
      form_(form),
      tolerances_(judged_for(system, tolerances)),
      s_(stages),
      n_(system.coordinates()),
      m_(system.rows()),
      rule_(collocation_rule(Collocation::Kind::radau, stages)),
      linear_(system, form_),
      stages_(system, stages, linear_.sparse() == nullptr),
      positions_and_velocities_(system, form),
      A_(matrix_of(rule_, stages)),
      AA_(A_ * A_),
      spectrum_(A_),
      matrix_(linear_),
      refined_(system, tolerances) {
  inner_.q = of_estimate(tolerances.q, s_);
  inner_.v = of_estimate(tolerances.v, s_);
  const Eigen::Index u = linear_.unknowns();
  for (std::size_t k = 0; k < spectrum_.pairs.size(); ++k) pairs_.emplace_back(linear_);
  if (linear_.split() != nullptr && system.equation_kernels() != nullptr)
    in_lanes_.emplace(system, linear_, rule_, spectrum_, A_);
  weight_q_ = weight_v_ = Vector::Zero(n_);
  now_ = next_ = before_ = stage_ = State::of_size(n_, m_);
  X_ = R_ = D_ = done_X_ = Matrix::Zero(u, s_);
  Q_ = V_ = before_Q_ = before_V_ = Matrix::Zero(n_, s_);
  extrapolation_ = Matrix::Zero(s_, s_);
  r_ = x_ = Vector::Zero(u);
  r_complex_ = x_complex_ = Eigen::VectorXcd::Zero(u);
  e_q_ = e_v_ = shift_ = Vector::Zero(n_);
  nodes_ = {0.0};
  nodes_.insert(nodes_.end(), rule_.c.begin(), rule_.c.end());
  to_start_ = Vector::Zero(s_);
  for (int j = 0; j < s_; ++j) to_start_[j] = lagrange(rule_.c, static_cast<std::size_t>(j), 0.0);
  weights_ = Vector::Zero(s_ + 1);
  dense_q_ = dense_v_ = Matrix::Zero(n_, s_ + 1);
}

double RadauDirect::begin(const State& start, double until) {
  now_ = before_ = start;
  has_history_ = false;
  stages_.begin();
  last_error_ = 0.0;
  done_contraction_ = 1.0;
  return choose_first_step(system_, now_, until, s_ + 1, inner_, statistics());
}

// The collocation polynomial of the last step, extrapolated; at the start constant. In the index-3 form the stages
// carry the correction of the last velocity error, which extrapolation would magnify: there a straight line through the
// ends.
void RadauDirect::predict(double h) {
  const bool usable = has_history_ && std::abs(h) < 4.0 * std::abs(done_h_);
  if (usable && form_ != Form::index3) {
    for (int i = 0; i < s_; ++i)
      for (int j = 0; j < s_; ++j)
        extrapolation_(j, i) =
            lagrange(rule_.c, static_cast<std::size_t>(j), 1.0 + rule_.c[static_cast<std::size_t>(i)] * h / done_h_);
    X_.noalias() = done_X_ * extrapolation_;
  } else {
    for (int i = 0; i < s_; ++i) {
      const double ahead = usable ? rule_.c[static_cast<std::size_t>(i)] * h / done_h_ : 0.0;
      X_.col(i).head(n_) = now_.a + ahead * (now_.a - before_.a);
      X_.col(i).segment(n_, m_) = now_.lambda + ahead * (now_.lambda - before_.lambda);
    }
  }
  X_.bottomRows(linear_.eta()).setZero();
}

// The stage nearest to the middle: the Jacobian of the constraints changes half as much from there to either end as
// from the start to the end, and that change is what limits the steps of a body that spins.
const State& RadauDirect::middle_of_prediction(double h) {
  const auto i = static_cast<Eigen::Index>(s_ / 2);
  stage_.t = now_.t + rule_.c[static_cast<std::size_t>(i)] * h;
  stage_.q = Q_.col(i);
  stage_.v = V_.col(i);
  stage_.a = X_.col(i).head(n_);
  stage_.lambda = X_.col(i).segment(n_, m_);
  const bool sound = stage_.q.allFinite() && stage_.v.allFinite() && stage_.a.allFinite() && stage_.lambda.allFinite();
  return sound ? stage_ : now_;
}

// What the iteration left of the constraints that the form imposes.
bool RadauDirect::finish_constraints(State& state) {
  if (m_ == 0) return true;
  if (form_ != Form::index3) return positions_and_velocities_.restore_end(state.t, state.q, state.v, statistics());
  if (system_.position_rows() == 0) return true;
  ++statistics().factorizations;
  return std::isfinite(system_.correct_position(state.t, state.q.data()));
}

Attempt RadauDirect::attempt(double to) {
  const double h = to - now_.t;
  Attempt result;
  result.retry_step = 0.5 * h;
  predict(h);
  stages_from_unknowns(h);
  linear_.evaluate(middle_of_prediction(h));
  if (stages_.are_used()) place_stage_matrices(h);
  ++statistics().jacobians;
  factor(h);
  if (!solve(h)) {
    stages_.note(h, true);
    just_rejected_ = true;
    result.trouble = "Newton's method for the stages does not converge";
    return result;
  }
  next_.t = to;
  next_.q = Q_.col(s_ - 1);
  next_.v = V_.col(s_ - 1);
  if (!finish_constraints(next_)) {
    result.trouble = "the end of the step could not be brought back to the constraints";
    return result;
  }
  update_accelerations(system_, next_);
  ++statistics().evaluations;
  const double error = std::max(error_of_step(h), 1e-10);
  if (!std::isfinite(error) || !next_.a.allFinite()) {
    result.trouble = "the accelerations became infinite";
    return result;
  }
  const int most = most_iterations();
  const double safety = 0.9 * (2.0 * most + 1.0) / (2.0 * most + iterations_);
  const double exponent = 1.0 / (s_ + 1);
  double factor = safety * std::pow(error, -exponent);
  if (error > 1.0 && !fixed_steps_) {
    just_rejected_ = true;
    result.retry_step = h * std::clamp(factor, 0.1, 0.9);
    return result;
  }
  // Predictive controller of Gustafsson.
  if (last_error_ > 0.0) {
    const double trend = safety * std::abs(h / done_h_) * std::pow(last_error_ / (error * error), exponent);
    factor = std::min(factor, trend);
  }
  // The contraction of Newton's method grows with h.
  const double allowed = std::max(0.6, contraction_of_long_steps / std::max(theta_, 1e-3));
  stages_.note(h, allowed < factor);
  factor = std::min(factor, allowed);
  next_h_ = h * std::clamp(factor, 0.2, just_rejected_ ? 1.0 : 6.0);
  last_error_ = std::max(error, 1e-2);
  result.acceptable = true;
  return result;
}

// The embedded formula with weight mu at the start, y0 + h (mu y0' + sum b^_i Y_i'), differs from the solution by
// h mu (y0' - p(0)), p the collocation polynomial; what it says is made bounded for stiff parts by the real factor:
//   e_v = w x,  e_q = d_q + w^2 (x - G_p' e),  w = h mu,  d_q = w (v0 - V(0)).
double RadauDirect::error_of_step(double h) {
  const double w = h * spectrum_.mu_real;
  const Eigen::Index eta = linear_.eta();
  e_q_.noalias() = V_ * to_start_;
  e_q_ = w * (now_.v - e_q_);
  shift_.noalias() = X_.topRows(n_) * to_start_;
  shift_ = now_.a - shift_;
  r_.setZero();
  linear_.add_mass(1.0, shift_, r_.head(n_));
  linear_.add_stiffness(-1.0, e_q_, r_.head(n_));
  // In the index-3 form e_v keeps to the tangent space: across it, v0 itself is off by the error of the last step,
  // which no step, however small, would make acceptable. That part counts by the position h v that it amounts to.
  if (form_ == Form::index2 || form_ == Form::ggl) {
    linear_.add_jacobian_rate(-1.0, e_q_, r_.segment(n_, m_));
    if (eta > 0) linear_.add_position_rows(-1.0, e_q_, r_.tail(eta));
  }
  linear_.scale(w, w * w, r_);
  matrix_.solve(r_, x_);
  e_v_ = w * x_.head(n_);
  e_q_ += w * e_v_;
  if (eta > 0) linear_.add_position_forces(-w * w, x_.tail(eta), e_q_);
  return weighted_error(e_q_, e_v_, now_, next_, inner_);
}

double RadauDirect::accept() {
  done_t_ = now_.t;
  done_h_ = next_.t - now_.t;
  keep_dense();
  refined_.forget();
  std::swap(done_X_, X_);
  std::swap(before_, now_);
  std::swap(now_, next_);
  done_contraction_ = contraction_;
  has_history_ = true;
  just_rejected_ = false;
  return next_h_;
}

// The polynomials through the start, the stages and the end.
void RadauDirect::keep_dense() {
  dense_q_.col(0) = now_.q;
  dense_v_.col(0) = now_.v;
  dense_q_.middleCols(1, s_) = Q_;
  dense_v_.middleCols(1, s_) = V_;
  dense_q_.col(s_) = next_.q;
  dense_v_.col(s_) = next_.v;
}

void RadauDirect::interpolate(double t, Vector& q, Vector& v) {
  refined_.interpolate(
      before_, now_, t, [this](double at, Vector& q_at, Vector& v_at) { interpolate_own(at, q_at, v_at); }, q, v);
}

void RadauDirect::interpolate_own(double t, Vector& q, Vector& v) {
  const double x = (t - done_t_) / done_h_;
  for (std::size_t j = 0; j < nodes_.size(); ++j) weights_[static_cast<Eigen::Index>(j)] = lagrange(nodes_, j, x);
  q.noalias() = dense_q_ * weights_;
  v.noalias() = dense_v_ * weights_;
}

}  // namespace raak

// The simplified Newton method of the direct Radau methods: the stages that unknowns stand for, one step towards the
// solution, and when to stop. Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.8.
#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/control/error_norm.h"
#include "methods/direct/radau_direct.h"

namespace raak {

void RadauDirect::stages_from_unknowns(double h) {
  const Eigen::Index eta = linear_.eta();
  for (int i = 0; i < s_; ++i) {
    auto q = Q_.col(i);
    auto v = V_.col(i);
    q = now_.q + h * rule_.c[static_cast<std::size_t>(i)] * now_.v;
    v = now_.v;
    for (int j = 0; j < s_; ++j) {
      q += h * h * AA_(i, j) * X_.col(j).head(n_);
      v += h * rule_.a(i, j) * X_.col(j).head(n_);
      if (eta > 0) linear_.add_position_forces(-h * rule_.a(i, j), X_.col(j).tail(eta), q);
    }
  }
}

void RadauDirect::place_stage_matrices(double h) {
  statistics().factorizations += s_;
  stages_.set_middle(linear_.mass(), linear_.jacobian());
  for (int i = 0; i < s_; ++i) {
    shift_ = Q_.col(i);
    stages_.set_stage(i, now_.t + rule_.c[static_cast<std::size_t>(i)] * h, shift_);
  }
}

void RadauDirect::factor(double h) {
  statistics().factorizations += 1 + static_cast<long>(pairs_.size());
  const double w = h * spectrum_.mu_real;
  matrix_.factor(w, w * w);
  if (is_in_lanes()) return in_lanes_->factor(h);
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const Complex wk = h * spectrum_.pairs[k].mu;
    pairs_[k].factor(wk, wk * wk);
  }
}

double RadauDirect::newton_step_in_lanes() {
  statistics().evaluations += s_;
  return in_lanes_->step(weight_q_, weight_v_);
}

// One step of the simplified Newton method; returns its size in units of the tolerance.
double RadauDirect::newton_step(double h) {
  const double of_velocities = form_ == Form::index1 ? 1.0 : h;
  const double of_positions = form_ == Form::index3 ? h * h : of_velocities;
  for (int i = 0; i < s_; ++i) {
    stage_.t = now_.t + rule_.c[static_cast<std::size_t>(i)] * h;
    stage_.q = Q_.col(i);
    stage_.v = V_.col(i);
    stage_.a = X_.col(i).head(n_);
    stage_.lambda = X_.col(i).segment(n_, m_);
    linear_.residual(stage_, r_);
    if (stages_.are_used()) stages_.carry_to_middle(i, of_positions, of_velocities, r_);
    R_.col(i) = -r_;
  }
  statistics().evaluations += s_;
  const Eigen::Index eta = linear_.eta();
  const double w = h * spectrum_.mu_real;
  r_.noalias() = R_ * spectrum_.T_inverse.row(spectrum_.real_column).real().transpose();
  linear_.scale(w, w * w, r_);
  matrix_.solve(r_, x_);
  x_.tail(eta) *= w;
  D_.noalias() = x_ * spectrum_.T.col(spectrum_.real_column).real().transpose();
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const Eigen::Index column = spectrum_.pairs[k].column;
    r_complex_.setZero();
    for (int i = 0; i < s_; ++i) r_complex_ += spectrum_.T_inverse(column, i) * R_.col(i);
    const Complex wk = h * spectrum_.pairs[k].mu;
    linear_.scale(wk, wk * wk, r_complex_);
    pairs_[k].solve(r_complex_, x_complex_);
    x_complex_.tail(eta) *= wk;
    for (int i = 0; i < s_; ++i) D_.col(i) += 2.0 * (spectrum_.T(i, column) * x_complex_).real();
  }
  X_ += D_;
  before_Q_ = Q_;
  before_V_ = V_;
  stages_from_unknowns(h);
  double size = 0.0;
  for (int i = 0; i < s_; ++i) {
    stage_.q = Q_.col(i) - before_Q_.col(i);
    stage_.v = V_.col(i) - before_V_.col(i);
    const double q = weighted_error(stage_.q, now_.q, now_.q, inner_.q);
    // With positions imposed, rounding errors of q / h enter the velocities: they are judged by h v.
    const double of_velocity = form_ == Form::index3 ? std::min(1.0, std::abs(h)) : 1.0;
    const double v = of_velocity * weighted_error(stage_.v, now_.v, now_.v, inner_.v);
    if (!std::isfinite(q) || !std::isfinite(v)) return std::numeric_limits<double>::infinity();
    size = std::max({size, q, v});
  }
  return size;
}

// Of the first step towards the solution, by the last step. It grows as the square of h, and a step that converged at
// once says little: no more than three digits are believed unseen.
double RadauDirect::expected_contraction(double h) const {
  constexpr double least = 1e-3;
  const double longer = has_history_ ? std::max(1.0, (h / done_h_) * (h / done_h_)) : 1.0;
  return std::max(least, longer * std::pow(done_contraction_, 0.8));
}

bool RadauDirect::solve(double h) {
  if (!is_in_lanes()) return iterate(h);
  const double of_velocity = form_ == Form::index3 ? std::min(1.0, std::abs(h)) : 1.0;
  for (Eigen::Index i = 0; i < n_; ++i) {
    weight_q_[i] = 1.0 / (inner_.q.absolute(i) + inner_.q.rtol * std::abs(now_.q[i]));
    weight_v_[i] = of_velocity / (inner_.v.absolute(i) + inner_.v.rtol * std::abs(now_.v[i]));
  }
  in_lanes_->begin(now_.t, X_, Q_, V_);
  const bool converged = iterate(h);
  in_lanes_->end(X_, Q_, V_);
  return converged;
}

bool RadauDirect::iterate(double h) {
  // The remaining error of the iteration counts fully, unlike the estimate of the step's error: it is held to a part
  // of the tolerance itself, expressed in units of the inner one.
  const double target = (fixed_steps_ ? 1e-14 : std::max(0.03 * tolerances_.q.rtol, 1e-14)) / inner_.q.rtol;
  const int most = most_iterations();
  // With positions imposed they settle at once and say little of the accelerations: the iteration proves itself anew.
  const bool doubtful = form_ == Form::index3;
  contraction_ = doubtful ? 1.0 : expected_contraction(h);
  theta_ = 0.0;
  double before = 0.0;
  for (iterations_ = 1; iterations_ <= most; ++iterations_) {
    const double size = is_in_lanes() ? newton_step_in_lanes() : newton_step(h);
    if (!std::isfinite(size)) return false;
    if (iterations_ > 1) {
      theta_ = before > 0.0 ? size / before : 0.0;
      if (theta_ >= 0.99 && size <= 10.0 * target) return true;
      if (theta_ >= 0.99 && (iterations_ > 3 || theta_ > 10.0) && !fixed_steps_) return false;
      contraction_ = std::max(theta_, doubtful ? 0.3 : 0.0) / std::max(0.01, 1.0 - theta_);
      if (contraction_ * size * std::pow(theta_, most - 1 - iterations_) > 10.0 * target && !fixed_steps_) return false;
    }
    if (contraction_ * size <= target) return true;
    before = size;
  }
  return false;
}

}  // namespace raak

#include "methods/multistep/bdf_formula.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace raak {
namespace {

// Order 1 is for the first step, and behind failures: the error of its positions, h^2 a / 2, excites stiff vibrations
// at every change of the step.
constexpr int lowest_order = 2;
// Below this part of the tolerance, as with fixed steps, terms may be rounding errors and say nothing of the order.
constexpr double least_term = 1e-2;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

BdfFormula::BdfFormula(Eigen::Index dimension, Norm norm) : norm_(std::move(norm)) {
  phi_ = phi_star_ = Matrix::Zero(dimension, highest_order + 2);
  difference_ = work_ = Vector::Zero(dimension);
}

void BdfFormula::begin(const Vector& y, const Vector& slope) {
  phi_.setZero();
  phi_.col(0) = y;
  phi_.col(1) = slope;  // times the first step, when that is known
  k_ = next_k_ = 1;
  done_k_ = 0;
  same_ = failures_ = 0;
  starting_ = true;
  done_h_ = 0.0;
}

void BdfFormula::predict(double h, Vector& y, Vector& slope) {
  h_ = h;
  const bool first = done_k_ == 0;
  new_psi_ = psi_;
  if (first) new_psi_[0] = h;
  alpha_[0] = beta_[0] = sigma_[0] = 1.0;
  gamma_[0] = 0.0;
  double reach = h;
  for (int i = 1; i <= k_; ++i) {
    const double old = first ? h : psi_[at(i - 1)];
    new_psi_[at(i - 1)] = reach;
    beta_[at(i)] = beta_[at(i - 1)] * new_psi_[at(i - 1)] / old;
    reach = old + h;
    alpha_[at(i)] = h / reach;
    sigma_[at(i)] = i * sigma_[at(i - 1)] * alpha_[at(i)];
    gamma_[at(i)] = gamma_[at(i - 1)] + alpha_[at(i - 1)] / h;
  }
  new_psi_[at(k_)] = reach;
  double leading = 0.0;
  double alpha0 = 0.0;
  for (int i = 1; i <= k_; ++i) {
    leading += 1.0 / i;
    alpha0 += alpha_[at(i - 1)];
  }
  w_ = h / leading;
  error_constant_ = std::max(std::abs(alpha_[at(k_)] - leading + alpha0), alpha_[at(k_)]);
  y.setZero();
  slope.setZero();
  for (int i = 0; i <= k_; ++i) {
    phi_star_.col(i) = phi_.col(i) * (first && i == 1 ? h : beta_[at(i)]);
    y += phi_star_.col(i);
    slope += gamma_[at(i)] * phi_star_.col(i);
  }
}

double BdfFormula::error(const Vector& difference) {
  difference_ = difference;
  const double size = norm_(difference_);
  const double error_k = sigma_[at(k_)] * size;
  term_ = (k_ + 1) * error_k;
  estimate_ = error_k;
  next_k_ = k_;
  if (k_ > 1) {
    work_ = phi_star_.col(k_) + difference_;
    error_below_ = sigma_[at(k_ - 1)] * norm_(work_);
    term_below_ = k_ * error_below_;
    bool lower = false;
    if (k_ > lowest_order) {
      work_ += phi_star_.col(k_ - 1);
      const double term_two_below = (k_ - 1) * sigma_[at(k_ - 2)] * norm_(work_);
      lower = std::max(term_below_, term_two_below) <= term_ && term_ > least_term;
    }
    if (lower) {
      next_k_ = k_ - 1;
      estimate_ = error_below_;
    }
  }
  return error_constant_ * size;
}

void BdfFormula::choose_order() {
  const int k = k_;
  const bool raised = k - done_k_ == 1;
  if (next_k_ == k - 1 || k >= limit_) starting_ = false;
  if (starting_) {
    next_k_ = k + 1;
    return;
  }
  if (next_k_ == k - 1 || k >= limit_ || k + 1 >= same_ || raised) return;
  work_ = difference_ - phi_.col(k + 1);
  const double error_above = norm_(work_) / (k + 2);
  const double term_above = (k + 2) * error_above;
  if (k > lowest_order && term_ > least_term && term_below_ <= std::min(term_, term_above)) {
    next_k_ = k - 1;
    estimate_ = error_below_;
  } else if (k < lowest_order || term_above < term_) {
    next_k_ = k + 1;
    estimate_ = error_above;
  }
}

// The error at a lower order is that of the terms which are left out.
void BdfFormula::keep_limit() {
  if (next_k_ <= limit_) return;
  work_ = difference_;
  for (int i = limit_ + 1; i <= k_; ++i) work_ += phi_star_.col(i);
  estimate_ = sigma_[at(limit_)] * norm_(work_);
  next_k_ = limit_;
}

double BdfFormula::accept() {
  same_ = h_ == done_h_ && k_ == done_k_ ? std::min(same_ + 1, done_k_ + 2) : 1;
  choose_order();
  keep_limit();
  double next_h = h_;
  if (starting_) {
    next_h = 2.0 * h_;
  } else {
    const double r = std::pow(2.0 * estimate_ + 1e-4, -1.0 / (next_k_ + 1));
    if (r >= 2.0) next_h = since_failure_ > k_ ? 2.0 * h_ : h_;
    else if (r <= 1.0) next_h = h_ * std::clamp(r, 0.5, 0.9);
  }
  if (k_ < highest_order) phi_.col(k_ + 1) = difference_;
  phi_.col(k_) = phi_star_.col(k_) + difference_;
  for (int j = k_ - 1; j >= 0; --j) phi_.col(j) = phi_star_.col(j) + phi_.col(j + 1);
  psi_ = new_psi_;
  done_k_ = k_;
  done_h_ = h_;
  k_ = next_k_;
  failures_ = 0;
  ++since_failure_;
  return next_h;
}

double BdfFormula::reject(bool by_error) {
  starting_ = false;
  ++failures_;
  since_failure_ = 0;
  if (!by_error) return 0.25 * h_;
  if (failures_ >= 3) {
    k_ = 1;
    return 0.25 * h_;
  }
  k_ = next_k_;
  if (failures_ == 2) return 0.25 * h_;
  return h_ * std::clamp(0.9 * std::pow(2.0 * estimate_ + 1e-4, -1.0 / (k_ + 1)), 0.25, 0.9);
}

void BdfFormula::interpolate(double s, Vector& y) const {
  y = phi_.col(0);
  double c = 1.0;
  double gamma = s / psi_[0];
  for (int j = 1; j <= done_k_; ++j) {
    c *= gamma;
    gamma = (s + psi_[at(j - 1)]) / psi_[at(j)];
    y += c * phi_.col(j);
  }
}

}  // namespace raak

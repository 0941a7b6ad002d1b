#include "methods/multistep/adams_formula.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/linear/index.h"

namespace raak {
namespace {

// |gamma*_i|: error constants of the Adams-Moulton formulas for constant steps.
constexpr std::array<double, 14> gamma_star{1.0,    0.5,     0.0833,  0.0417,  0.0264,  0.0188,  0.0143,
                                            0.0114, 0.00936, 0.00789, 0.00679, 0.00592, 0.00524, 0.00468};

}  // namespace

AdamsFormula::AdamsFormula(Eigen::Index dimension, Norm norm) : norm_(std::move(norm)) {
  phi_ = phi_star_ = Matrix::Zero(dimension, highest_order + 2);
  sum_ = difference_ = work_ = Vector::Zero(dimension);
}

double AdamsFormula::begin(const Vector& f0, double span) {
  k_ = 1;
  starting_ = true;
  failures_ = steps_at_this_size_ = 0;
  history_ = 1;
  phi_.setZero();
  phi_.col(0) = f0;
  psi_.fill(0.0);
  last_h_ = 0.0;
  work_ = f0;
  const double size = norm_(work_);
  const double h = size > 0.0 ? 0.25 / std::sqrt(size) : std::abs(span);
  return std::copysign(std::min(h, std::abs(span)), span);
}

void AdamsFormula::set_coefficients(double h) {
  const int k = k_;
  // psi_i = h_n + ... + h_(n-i+1); beta_i converts phi_i to the new grid.
  double older = h;
  double beta = 1.0;
  double sigma = 1.0;
  for (int i = 0; i <= k; ++i) {
    new_psi_[z(i)] = older;
    alpha_[z(i)] = h / older;
    beta_[z(i)] = beta;
    sigma_[z(i)] = sigma;
    sigma *= static_cast<double>(i + 1) * alpha_[z(i)];
    if (psi_[z(i)] != 0.0) beta *= older / psi_[z(i)];
    older = h + psi_[z(i)];
  }
  sigma_[z(k + 1)] = sigma;
  // g_(i,q) = g_(i-1,q) - alpha_(i-1) g_(i-1,q+1), from g_(1,q) = 1/q and g_(2,q) = 1/(q(q+1)).
  std::array<double, highest_order + 3> column{};
  for (int q = 1; q <= k + 2; ++q) column[z(q - 1)] = 1.0 / q;
  g_[0] = 1.0;
  for (int i = 1; i <= k; ++i) {
    const double factor = i == 1 ? 1.0 : alpha_[z(i - 1)];
    for (int q = 1; q <= k + 2 - i; ++q) column[z(q - 1)] -= factor * column[z(q)];
    g_[z(i)] = column[0];
  }
}

void AdamsFormula::predict(double h, const Vector& y, Vector& predicted) {
  h_ = h;
  set_coefficients(h);
  sum_.setZero();
  predicted.setZero();
  for (int i = k_ - 1; i >= 0; --i) {  // small terms first
    phi_star_.col(i) = beta_[z(i)] * phi_.col(i);
    sum_ += phi_star_.col(i);
    predicted += g_[z(i)] * phi_star_.col(i);
  }
  phi_star_.col(k_) = beta_[z(k_)] * phi_.col(k_);
  predicted = y + h * predicted;
}

double AdamsFormula::error(const Vector& f_predicted) {
  const double h = std::abs(h_);
  difference_ = f_predicted - sum_;
  const auto estimate = [&](int order) {
    // phi^p_(order+1) = difference + phi*_(order+1) + ... + phi*_k
    work_ = difference_;
    for (int i = order; i < k_; ++i) work_ += phi_star_.col(i);
    return h * norm_(work_);
  };
  const double whole = estimate(k_);
  error_k_ = whole * sigma_[z(k_)] * gamma_star[z(k_)];
  error_k_minus_1_ = k_ > 1 ? estimate(k_ - 1) * sigma_[z(k_ - 1)] * gamma_star[z(k_ - 1)] : 0.0;
  error_k_minus_2_ = k_ > 2 ? estimate(k_ - 2) * sigma_[z(k_ - 2)] * gamma_star[z(k_ - 2)] : 0.0;
  lower_ = (k_ > 2 && std::max(error_k_minus_1_, error_k_minus_2_) <= error_k_) ||
           (k_ == 2 && error_k_minus_1_ <= 0.5 * error_k_);
  return whole * std::abs(g_[z(k_ - 1)] - g_[z(k_)]);
}

void AdamsFormula::correct(const Vector& predicted, Vector& y) const {
  y = predicted + (h_ * g_[z(k_)]) * difference_;
}

double AdamsFormula::error_share() const {
  return std::abs(1.0 - g_[z(k_ - 1)] / g_[z(k_)]);
}

double AdamsFormula::accept(const Vector& f, double magnification) {
  const int k = k_;
  // phi_(k+1) = f - sum, phi_(k+2) = phi_(k+1) - phi*_(k+1), phi_i = phi_(i+1) + phi*_i
  difference_ = f - sum_;
  phi_.col(k + 1) = difference_ - phi_star_.col(k);
  phi_.col(k) = difference_;
  for (int i = k - 1; i >= 0; --i) phi_.col(i) = phi_.col(i + 1) + phi_star_.col(i);
  history_ = k + 1;
  steps_at_this_size_ = h_ == last_h_ ? std::min(steps_at_this_size_ + 1, k + 2) : 1;
  psi_ = new_psi_;
  last_h_ = h_;
  failures_ = 0;

  double error_now = error_k_;
  if (lower_ || k == highest_order) starting_ = false;
  if (starting_) {
    k_ = k + 1;
  } else if (lower_) {
    k_ = k - 1;
    error_now = error_k_minus_1_;
  } else if (steps_at_this_size_ > k && k < highest_order) {
    const double error_k_plus_1 = std::abs(h_) * gamma_star[z(k + 1)] * norm_(work_ = phi_.col(k + 1));
    if (k > 1 && error_k_minus_1_ <= std::min(error_k_, error_k_plus_1)) {
      k_ = k - 1;
      error_now = error_k_minus_1_;
    } else if (error_k_plus_1 < (k > 1 ? error_k_ : 0.5 * error_k_)) {
      k_ = k + 1;
      error_now = error_k_plus_1;
    }
  }
  error_now *= magnification;
  if (starting_ || 0.5 >= error_now * std::ldexp(1.0, k_ + 1)) return 2.0 * h_;
  if (error_now <= 0.5) return h_;
  return h_ * std::clamp(std::pow(0.5 / error_now, 1.0 / (k_ + 1)), 0.5, 0.9);
}

double AdamsFormula::reject() {
  starting_ = false;
  ++failures_;
  if (lower_ && k_ > 1) --k_;
  if (failures_ < 3) return 0.5 * h_;
  k_ = 1;
  return failures_ == 3 ? 0.5 * h_ : 0.25 * h_;
}

void AdamsFormula::interpolate(double s, const Vector& y_end, Vector& y) const {
  // The polynomial of degree k through the derivatives at the last points, integrated from the newest one.
  const int terms = history_;
  std::array<double, highest_order + 3> w{};
  for (int i = 0; i < terms; ++i) w[z(i)] = 1.0 / (i + 1);
  y = w[0] * phi_.col(0);
  double term = 0.0;
  for (int j = 1; j < terms; ++j) {
    const double psi = psi_[z(j - 1)];
    const double gamma = (s + term) / psi;
    const double eta = s / psi;
    for (int i = 0; i < terms - j; ++i) w[z(i)] = gamma * w[z(i)] - eta * w[z(i + 1)];
    y += w[0] * phi_.col(j);
    term = psi;
  }
  y = y_end + s * y;
}

}  // namespace raak

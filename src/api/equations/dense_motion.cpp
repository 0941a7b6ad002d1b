#include "api/equations/dense_motion.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace raak_v0::detail {
namespace {

double dot(const double* a, const double* b, std::size_t n) {
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

struct Motions {
  std::vector<std::unique_ptr<DenseMotion>> all;
  std::size_t lent = 0;
};
Motions& motions() {
  thread_local Motions of_thread;
  return of_thread;
}

}  // namespace

void DenseMotion::resize(int n, int m) {
  n_ = static_cast<std::size_t>(n);
  m_ = static_cast<std::size_t>(m);
  M.resize(n_ * n_);
  f.resize(n_);
  G.resize(m_ * n_);
  bias.resize(m_);
  Y_.resize(m_ * n_);
  S_.resize(m_ * m_);
  scale_.resize(m_);
  y_.resize(n_);
  z_.resize(m_);
}

double DenseMotion::factor() {
  double* const L = M.data();  // with the inverse of its diagonal
  for (std::size_t i = 0; i < n_; ++i) {
    double* const row = L + i * n_;
    for (std::size_t j = 0; j < i; ++j) row[j] = (row[j] - dot(row, L + j * n_, j)) * L[j * n_ + j];
    const double rest = row[i] - dot(row, row, i);
    if (!(rest > 0.0)) return 0.0;
    row[i] = 1.0 / std::sqrt(rest);
  }
  if (m_ == 0) return 1.0;
  for (std::size_t r = 0; r < m_; ++r) {
    double* const y = Y_.data() + r * n_;
    for (std::size_t i = 0; i < n_; ++i) y[i] = (G[r * n_ + i] - dot(L + i * n_, y, i)) * L[i * n_ + i];
    const double square = dot(y, y, n_);
    if (!(square > 0.0)) return 0.0;
    scale_[r] = 1.0 / std::sqrt(square);
    // Rows of length 1, so that pivots are squared sines of angles between rows.
    for (std::size_t i = 0; i < n_; ++i) y[i] *= scale_[r];
  }
  double smallest = 1.0;
  for (std::size_t r = 0; r < m_; ++r) {
    double* const row = S_.data() + r * m_;
    for (std::size_t s = 0; s < r; ++s)
      row[s] = (dot(Y_.data() + r * n_, Y_.data() + s * n_, n_) - dot(row, S_.data() + s * m_, s)) * S_[s * m_ + s];
    const double pivot = dot(Y_.data() + r * n_, Y_.data() + r * n_, n_) - dot(row, row, r);
    if (!(pivot > 0.0)) return 0.0;
    smallest = std::min(smallest, pivot);
    row[r] = 1.0 / std::sqrt(pivot);
  }
  return smallest;
}

void DenseMotion::solve(double* a, double* lambda) {
  const double* const L = M.data();
  for (std::size_t i = 0; i < n_; ++i) y_[i] = (f[i] - dot(L + i * n_, y_.data(), i)) * L[i * n_ + i];
  for (std::size_t r = 0; r < m_; ++r)
    z_[r] = (dot(Y_.data() + r * n_, y_.data(), n_) - scale_[r] * bias[r] - dot(S_.data() + r * m_, z_.data(), r)) *
            S_[r * m_ + r];
  for (std::size_t r = m_; r-- > 0;) {
    z_[r] *= S_[r * m_ + r];
    for (std::size_t s = 0; s < r; ++s) z_[s] -= S_[r * m_ + s] * z_[r];
    for (std::size_t i = 0; i < n_; ++i) y_[i] -= Y_[r * n_ + i] * z_[r];
    if (lambda != nullptr) lambda[r] = scale_[r] * z_[r];
  }
  for (std::size_t i = n_; i-- > 0;) {
    a[i] = y_[i] * L[i * n_ + i];
    for (std::size_t k = 0; k < i; ++k) y_[k] -= L[i * n_ + k] * a[i];
  }
}

LentMotion::LentMotion() {
  Motions& known = motions();
  if (known.lent == known.all.size()) known.all.push_back(std::make_unique<DenseMotion>());
  motion_ = known.all[known.lent++].get();
}
LentMotion::~LentMotion() {
  --motions().lent;
}

}  // namespace raak_v0::detail

// The equations of motion of a few coordinates by the Cholesky factors of M = L L' and of G M^-1 G' = Y Y', Y' = L^-1
// G': plain loops in memory that stays, where general decompositions cost more than the arithmetic. Number: double, or
// Pack for four states at once. Golub and Van Loan, Matrix Computations, 4th ed., section 4.2.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "api/core.h"
#include "base/linear/linear.h"
#include "base/pack.h"

namespace raak_v0::detail {

template <class Number>
class DenseMotion {
 public:
  // What is to be filled in, row by row: M (of which the lower half is read), f, G and bias.
  std::vector<Number> M, f, G, bias;

  void resize(int n, int m) {
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

  // The smallest relative pivot of G M^-1 G'; not a number where M or that has no factors.
  RAAK_INLINE Number factor() {
    using std::sqrt;
    Number smallest(1.0), broken(0.0);
    const auto inverse_root = [&](const Number& square) __attribute__((always_inline)) {
      const Number inverse = Number(1.0) / sqrt(square);
      broken += Number(0.0) * inverse;
      return inverse;
    };
    Number* const L = M.data();  // with the inverse of its diagonal
    for (std::size_t i = 0; i < n_; ++i) {
      Number* const row = L + i * n_;
      for (std::size_t j = 0; j < i; ++j) row[j] = (row[j] - dot(row, L + j * n_, j)) * L[j * n_ + j];
      row[i] = inverse_root(row[i] - dot(row, row, i));
    }
    for (std::size_t r = 0; r < m_; ++r) {
      Number* const y = Y_.data() + r * n_;
      for (std::size_t i = 0; i < n_; ++i) y[i] = (G[r * n_ + i] - dot(L + i * n_, y, i)) * L[i * n_ + i];
      scale_[r] = inverse_root(dot(y, y, n_));
      // Rows of length 1, so that pivots are squared sines of angles between rows.
      for (std::size_t i = 0; i < n_; ++i) y[i] *= scale_[r];
    }
    for (std::size_t r = 0; r < m_; ++r) {
      Number* const row = S_.data() + r * m_;
      for (std::size_t s = 0; s < r; ++s)
        row[s] = (dot(Y_.data() + r * n_, Y_.data() + s * n_, n_) - dot(row, S_.data() + s * m_, s)) * S_[s * m_ + s];
      const Number pivot = dot(Y_.data() + r * n_, Y_.data() + r * n_, n_) - dot(row, row, r);
      smallest = least(smallest, pivot);
      row[r] = inverse_root(pivot);
    }
    return smallest + broken;
  }

  // M a + G' lambda = f, G a = bias. A null lambda is not written.
  RAAK_INLINE void solve(Number* a, Number* lambda) {
    const Number* const L = M.data();
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

 private:
  static RAAK_INLINE Number dot(const Number* a, const Number* b, std::size_t n) {
    Number sum(0.0);
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  }
  static RAAK_INLINE double least(double a, double b) { return a < b ? a : b; }
  static RAAK_INLINE raak::Pack least(const raak::Pack& a, const raak::Pack& b) { return min(a, b); }

  std::size_t n_ = 0, m_ = 0;
  std::vector<Number> Y_, S_, scale_, y_, z_;
};

// One for each evaluation that goes on in this thread: a user's function may run a model itself.
template <class Number>
class LentMotion {
 public:
  LentMotion() {
    Motions& known = motions();
    if (known.lent == known.all.size()) known.all.push_back(std::make_unique<DenseMotion<Number>>());
    motion_ = known.all[known.lent++].get();
  }
  ~LentMotion() { --motions().lent; }
  LentMotion(const LentMotion&) = delete;
  LentMotion& operator=(const LentMotion&) = delete;
  DenseMotion<Number>* operator->() const { return motion_; }
  DenseMotion<Number>& operator*() const { return *motion_; }

 private:
  struct Motions {
    std::vector<std::unique_ptr<DenseMotion<Number>>> all;
    std::size_t lent = 0;
  };
  static Motions& motions() {
    thread_local Motions of_thread;
    return of_thread;
  }

  DenseMotion<Number>* motion_;
};

// The same by factors with pivoting; returns the smallest relative pivot.
double solve_near_singular(const core::Matrix& M, const core::Matrix& G, const core::Vector& f,
                           const core::Vector& bias, core::Vector& a, core::Vector& lambda);

}  // namespace raak_v0::detail

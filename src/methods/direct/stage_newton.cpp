#include "methods/direct/stage_newton.h"

#include <cmath>
#include <limits>

#include "base/linear/eigenvalues.h"
#include "base/linear/factors.h"

namespace raak {
namespace {

using Native = Pack::Native;

Native* packs(double* numbers) {
  return reinterpret_cast<Native*>(numbers);
}

// sum_j factors_j x_j over all stages, the component `row` of x in each.
RAAK_INLINE Native mixed(const double* factors, const LaneArray& x, int rows, int row, int stages) {
  Native sum{};
  for (int j = 0; j < stages; ++j) {
    const double value = x[lanes * (rows * (j / lanes) + row) + j % lanes];
    sum += Pack::load(factors + lanes * j).x * value;
  }
  return sum;
}

}  // namespace

StageSpectrum::StageSpectrum(const Matrix& A) {
  const Eigen::EigenSolver<Matrix> eigen(A);
  T = eigen.eigenvectors();
  T_inverse = inverse_of(T);
  for (Eigen::Index k = 0; k < A.rows(); ++k) {
    const std::complex<double> mu = eigen.eigenvalues()[k];
    if (std::abs(mu.imag()) < 1e-10) {
      mu_real = mu.real();
      real_column = k;
    } else if (mu.imag() > 0.0) {
      pairs.push_back({mu, k});
    }
  }
}

StageNewton::StageNewton(const ConstrainedSystem& system, const Linearization& linear, const Collocation& rule,
                         const StageSpectrum& spectrum, const Matrix& A)
    : kernels_(*system.equation_kernels()),
      linear_(linear),
      split_(*linear.split()),
      rule_(rule),
      spectrum_(spectrum),
      s_(static_cast<int>(A.rows())),
      blocks_((s_ + lanes - 1) / lanes),
      n_(system.coordinates()),
      m_(system.rows()),
      f_(n_ - m_),
      unknowns_(static_cast<int>(linear.unknowns())),
      A_inverse_(A.inverse()),
      A_inverse_square_(A_inverse_ * A_inverse_),
      real_(f_) {
  for (std::size_t k = 0; k < spectrum.pairs.size(); ++k) pairs_.emplace_back(f_);
  const auto array = [&](int rows) { return LaneArray(lanes * blocks_ * rows); };
  t_ = array(1);
  X_ = array(unknowns_);
  r_ = array(n_ + 2 * m_);
  Q_ = V_ = p_ = d_ = x_ = of_v_ = of_q_ = b_ = array(n_);
  rows_ = array(m_);
  s_by_w_ = Z_ = array(3 * f_);
  inverse_ = inverse_square_ = LaneArray(lanes * blocks_ * s_);
  z_ = Vector::Zero(f_);
  complex_z_.resize(static_cast<std::size_t>(f_));
}

void StageNewton::factor(double h) {
  h_ = h;
  const double w = h * spectrum_.mu_real;
  split_.reduce(w, w * w, real_.entries());
  real_.factor();
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const Complex wk = h * spectrum_.pairs[k].mu;
    split_.reduce(wk, wk * wk, pairs_[k].entries());
    pairs_[k].factor();
  }
  for (int i = 0; i < blocks_ * lanes; ++i)
    for (int j = 0; j < s_; ++j) {
      const int place = lanes * (s_ * (i / lanes) + j) + i % lanes;
      inverse_[place] = A_inverse_(stage_of(i), j) / h;
      inverse_square_[place] = A_inverse_square_(stage_of(i), j) / (h * h);
    }
}

void StageNewton::begin(double t, const Matrix& X, const Matrix& Q, const Matrix& V) {
  for (int b = 0; b < blocks_; ++b)
    for (int lane = 0; lane < lanes; ++lane) {
      const int i = stage_of(lanes * b + lane);
      t_[lanes * b + lane] = t + rule_.c[static_cast<std::size_t>(i)] * h_;
      for (int row = 0; row < unknowns_; ++row) X_[lanes * (unknowns_ * b + row) + lane] = X(row, i);
      for (int row = 0; row < n_; ++row) {
        Q_[lanes * (n_ * b + row) + lane] = Q(row, i);
        V_[lanes * (n_ * b + row) + lane] = V(row, i);
      }
    }
}

void StageNewton::end(Matrix& X, Matrix& Q, Matrix& V) const {
  for (int i = 0; i < s_; ++i) {
    const int b = i / lanes;
    const int lane = i % lanes;
    for (int row = 0; row < unknowns_; ++row) X(row, i) = X_[lanes * (unknowns_ * b + row) + lane];
    for (int row = 0; row < n_; ++row) {
      Q(row, i) = Q_[lanes * (n_ * b + row) + lane];
      V(row, i) = V_[lanes * (n_ * b + row) + lane];
    }
  }
}

void StageNewton::reduce(int block) {
  const double* const in[EquationKernels::blocks] = {part(t_, 1, block), part(Q_, n_, block), part(V_, n_, block),
                                                     part(X_, unknowns_, block)};
  kernels_.residual_lanes(in, part(r_, n_ + 2 * m_, block));
  in_widest_lanes([&]() RAAK_LANES {
    const Native* const r = packs(part(r_, n_ + 2 * m_, block));
    const Native* const g = r + n_ + m_;
    Native* const p = packs(part(p_, n_, block));
    Native* const d = packs(part(d_, n_, block));
    Native* const rows = packs(part(rows_, m_, block));
    Native* const s = packs(part(s_by_w_, 3 * f_, block));
    for (int i = 0; i < n_; ++i) p[i] = Native{};
    for (int i = 0; i < 3 * f_; ++i) s[i] = Native{};
    accumulate<false>(split_.R, g, p);
    accumulate<false>(split_.Nt, r, s);
    accumulate<false>(split_.NK, p, s);
    if (split_.has_eta()) {
      for (int i = 0; i < m_; ++i) rows[i] = r[n_ + i];
      for (int i = 0; i < n_; ++i) d[i] = Native{};
      accumulate<true>(linear_.equations().Gdot, p, rows);
      accumulate<false>(split_.R, rows, d);
      accumulate<true>(split_.ND, d, s);
      accumulate<false>(split_.NM, d, s + f_);
    } else {
      accumulate<true>(split_.ND, p, s + f_);
      accumulate<false>(split_.NM, p, s + 2 * f_);
    }
  });
}

void StageNewton::solve_along() {
  const auto s_of = [&](int k, int j, int i) {
    return s_by_w_[lanes * (3 * f_ * (i / lanes) + k * f_ + j) + i % lanes];
  };
  for (int k = 0; k < blocks_ * lanes * 3 * f_; ++k) Z_[k] = 0.0;
  const auto place = [&](int k, int j, int i) { return lanes * (3 * f_ * (i / lanes) + k * f_ + j) + i % lanes; };
  const double w = h_ * spectrum_.mu_real;
  for (int j = 0; j < f_; ++j) {
    double sum = 0.0;
    for (int i = 0; i < s_; ++i)
      sum += spectrum_.T_inverse(spectrum_.real_column, i).real() *
             (s_of(0, j, i) + (s_of(1, j, i) + s_of(2, j, i) / w) / w);
    z_[j] = sum;
  }
  real_.solve(z_.data());
  for (int j = 0; j < f_; ++j)
    for (int i = 0; i < blocks_ * lanes; ++i) {
      const double z = spectrum_.T(stage_of(i), spectrum_.real_column).real() * z_[j];
      Z_[place(0, j, i)] += z;
      Z_[place(1, j, i)] += w * z;
      Z_[place(2, j, i)] += w * w * z;
    }
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    const Eigen::Index column = spectrum_.pairs[pair].column;
    const Complex wk = h_ * spectrum_.pairs[pair].mu;
    const Complex inverse = 1.0 / wk;
    for (int j = 0; j < f_; ++j) {
      Complex sums[3] = {};
      for (int i = 0; i < s_; ++i)
        for (int k = 0; k < 3; ++k) sums[k] += spectrum_.T_inverse(column, i) * s_of(k, j, i);
      complex_z_[static_cast<std::size_t>(j)] = sums[0] + inverse * (sums[1] + inverse * sums[2]);
    }
    pairs_[pair].solve(complex_z_.data());
    for (int j = 0; j < f_; ++j) {
      const Complex z = 2.0 * complex_z_[static_cast<std::size_t>(j)];
      const Complex wz = wk * z;
      const Complex wwz = wk * wz;
      for (int i = 0; i < blocks_ * lanes; ++i) {
        const Complex T = spectrum_.T(stage_of(i), column);
        Z_[place(0, j, i)] += T.real() * z.real() - T.imag() * z.imag();
        Z_[place(1, j, i)] += T.real() * wz.real() - T.imag() * wz.imag();
        Z_[place(2, j, i)] += T.real() * wwz.real() - T.imag() * wwz.imag();
      }
    }
  }
}

double StageNewton::correct(int block, const Vector& weight_q, const Vector& weight_v) {
  return in_widest_lanes([&]() RAAK_LANES {
    const Native* const r = packs(part(r_, n_ + 2 * m_, block));
    const Native* const p = packs(part(p_, n_, block));
    const Native* const d = packs(part(d_, n_, block));
    const Native* const Z0 = packs(part(Z_, 3 * f_, block));
    const Native* const Z1 = Z0 + f_;
    const Native* const Z2 = Z1 + f_;
    Native* const x = packs(part(x_, n_, block));
    Native* const of_v = packs(part(of_v_, n_, block));
    Native* const of_q = packs(part(of_q_, n_, block));
    Native* const b = packs(part(b_, n_, block));
    Native* const X = packs(part(X_, unknowns_, block));
    Native* const Q = packs(part(Q_, n_, block));
    Native* const V = packs(part(V_, n_, block));
    Native* const rows = packs(part(rows_, m_, block));
    const double* const inverse = part(inverse_, s_, block);
    const LinearizedEquations of = linear_.equations();
    for (int i = 0; i < n_; ++i) {
      of_q[i] = p[i];
      if (split_.has_eta()) {
        of_v[i] = d[i];
        x[i] = mixed(inverse, d_, n_, i, s_);
      } else {
        of_v[i] = mixed(inverse, p_, n_, i, s_);
        x[i] = mixed(part(inverse_square_, s_, block), p_, n_, i, s_);
      }
      b[i] = -r[i];
    }
    accumulate<true>(split_.N, Z2, of_q);
    accumulate<true>(split_.N, Z1, of_v);
    accumulate<true>(split_.N, Z0, x);
    if (split_.has_eta()) {
      accumulate<false>(split_.E, Z2, of_v);
      accumulate<false>(split_.E, Z1, x);
      for (int i = 0; i < m_; ++i) rows[i] = r[n_ + i] - mixed(inverse, r_, n_ + 2 * m_, n_ + m_ + i, s_);
      accumulate<true>(of.Gdot, of_q, rows);
      accumulate<false>(split_.inverse, rows, X + n_ + m_);
    }
    accumulate<false>(of.M, x, b);
    accumulate<true>(of.f_v, of_v, b);
    accumulate<false>(of.K, of_q, b);
    accumulate<true>(split_.Rt, b, X + n_);
    Native largest{};
    Native finite{};  // 0 where all are
    for (int i = 0; i < n_; ++i) {
      X[i] += x[i];
      Q[i] += of_q[i];
      V[i] += of_v[i];
      finite += 0.0 * of_q[i] + 0.0 * of_v[i] + 0.0 * x[i];
      largest =
          max(max(Pack(largest), abs(Pack(of_q[i])) * Pack(weight_q[i])), abs(Pack(of_v[i])) * Pack(weight_v[i])).x;
    }
    for (int lane = 0; lane < lanes; ++lane)
      if (finite[lane] != 0.0) return std::numeric_limits<double>::infinity();
    return largest_lane(Pack(largest));
  });
}

double StageNewton::step(const Vector& weight_q, const Vector& weight_v) {
  for (int b = 0; b < blocks_; ++b) reduce(b);
  solve_along();
  double size = 0.0;
  for (int b = 0; b < blocks_; ++b) size = std::max(size, correct(b, weight_q, weight_v));
  return size;
}

}  // namespace raak

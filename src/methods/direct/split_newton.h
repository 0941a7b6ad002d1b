// The equations of a Newton step of second_order_newton.h for constraints on positions, in the ggl and the index-3
// form, solved along and across the constraints. With rho = wq / wv, R = G' (G G')^-1, G N = 0 and E = R G^ N,
//   u = R r_g/wq + N z         the change of the position over wq
//   x = d + N z - rho E z,     d = R (r_c/wv - rho G^ R r_g/wq)
//   N' [(M - wv f_v) (N - rho E) + wq K N] z = N' [r - (M - wv f_v) d - wq K R r_g/wq]
//   y = R' [r - (M - wv f_v) x - wq K u],     e = (G G')^-1 (r_c/wv - r_g/wq - rho G^ u)
// where K stands for K - f_q; in the index-3 form x = u and there is no e. R and N do not depend on w: what is left to
// factor for each w has the size of the freedoms. Null-space method: Benzi, Golub and Liesen, Numerical solution of
// saddle point problems, Acta Numerica 14 (2005), section 6.
#pragma once
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/linear/linear.h"
#include "system/equations/forms.h"

namespace raak {

// y += A x, and y -= A x, A column by column. Four rows at a time: their sums do not wait for each other.
template <bool plus, class Number>
inline __attribute__((always_inline)) void accumulate(const Matrix& A, const Number* x, Number* y) {
  const Eigen::Index rows = A.rows();
  const Eigen::Index columns = A.cols();
  const auto add = [](Number& sum, double a, const Number& b) {
    if constexpr (plus) sum += a * b;
    else sum -= a * b;
  };
  Eigen::Index i = 0;
  for (; i + 3 < rows; i += 4) {
    Number s0 = y[i], s1 = y[i + 1], s2 = y[i + 2], s3 = y[i + 3];
    const double* a = A.data() + i;
    for (Eigen::Index j = 0; j < columns; ++j, a += rows) {
      const Number b = x[j];
      add(s0, a[0], b);
      add(s1, a[1], b);
      add(s2, a[2], b);
      add(s3, a[3], b);
    }
    y[i] = s0;
    y[i + 1] = s1;
    y[i + 2] = s2;
    y[i + 3] = s3;
  }
  for (; i < rows; ++i) {
    Number s = y[i];
    const double* a = A.data() + i;
    for (Eigen::Index j = 0; j < columns; ++j, a += rows) add(s, a[0], x[j]);
    y[i] = s;
  }
}

// M, K, f_v, G and G^ of the linearized equations.
struct LinearizedEquations {
  const Matrix &M, &K, &f_v, &G, &Gdot;
};

class SplitNewton {
 public:
  SplitNewton(Eigen::Index coordinates, Eigen::Index rows, Form form);
  // Of fewer rows than coordinates, all of them on positions.
  static bool serves(Eigen::Index position_rows, Eigen::Index velocity_rows, Form form) {
    return position_rows > 0 && velocity_rows == 0 && (form == Form::ggl || form == Form::index3);
  }

  // For the equations as they are now.
  void update(const LinearizedEquations& equations);

  Eigen::Index coordinates() const { return n_; }
  Eigen::Index rows() const { return m_; }
  Eigen::Index freedoms() const { return n_ - m_; }
  bool has_eta() const { return has_eta_; }

  // The matrix of z.
  template <class Scalar>
  void reduce(Scalar wv, Scalar wq, std::vector<Scalar>& A) const {
    const Scalar rho = has_eta_ ? wq / wv : Scalar(0.0);
    for (Eigen::Index k = 0; k < NMN.size(); ++k)
      A[static_cast<std::size_t>(k)] =
          NMN.data()[k] - wv * (NDN.data()[k] - rho * NDE.data()[k]) - rho * NME.data()[k] + wq * NKN.data()[k];
  }

  Matrix R, Rt, N, Nt, E, GdotN;   // n x m, m x n, n x f, f x n, n x f, m x f
  Matrix inverse;                  // (G G')^-1
  Matrix NM, ND, NK;               // N'M, N' f_v and N'K
  Matrix NMN, NDN, NKN, NME, NDE;  // f x f, with D = f_v

 private:
  void reflect(Eigen::Index k, double* column) const;

  Eigen::Index n_, m_;
  bool has_eta_;
  Matrix Q_;  // what is left of G', and the reflectors below
  Vector diagonal_, head_, scale_;
};

// Factors of a small matrix, row pivoting, column by column.
template <class Scalar>
class SmallFactors {
 public:
  explicit SmallFactors(Eigen::Index size) : n_(size), pivot_(static_cast<std::size_t>(size)) {
    A_.resize(static_cast<std::size_t>(size * size));
  }
  std::vector<Scalar>& entries() { return A_; }
  void factor();
  void solve(Scalar* x) const;

 private:
  Scalar& at(Eigen::Index i, Eigen::Index j) { return A_[static_cast<std::size_t>(i + n_ * j)]; }
  const Scalar& at(Eigen::Index i, Eigen::Index j) const { return A_[static_cast<std::size_t>(i + n_ * j)]; }
  Eigen::Index n_;
  std::vector<Scalar> A_;  // of the factors; the diagonal is inverted
  std::vector<Eigen::Index> pivot_;
};

template <class Scalar>
void SmallFactors<Scalar>::factor() {
  for (Eigen::Index k = 0; k < n_; ++k) {
    Eigen::Index best = k;
    double largest = std::abs(at(k, k));
    for (Eigen::Index i = k + 1; i < n_; ++i)
      if (const double size = std::abs(at(i, k)); size > largest) best = i, largest = size;
    pivot_[static_cast<std::size_t>(k)] = best;
    if (best != k)
      for (Eigen::Index j = 0; j < n_; ++j) std::swap(at(k, j), at(best, j));
    at(k, k) = 1.0 / at(k, k);
    for (Eigen::Index i = k + 1; i < n_; ++i) at(i, k) *= at(k, k);
    for (Eigen::Index j = k + 1; j < n_; ++j)
      for (Eigen::Index i = k + 1; i < n_; ++i) at(i, j) -= at(i, k) * at(k, j);
  }
}

template <class Scalar>
void SmallFactors<Scalar>::solve(Scalar* x) const {
  for (Eigen::Index k = 0; k < n_; ++k) std::swap(x[k], x[pivot_[static_cast<std::size_t>(k)]]);
  for (Eigen::Index k = 0; k < n_; ++k)
    for (Eigen::Index i = k + 1; i < n_; ++i) x[i] -= at(i, k) * x[k];
  for (Eigen::Index k = n_; k-- > 0;) {
    x[k] *= at(k, k);
    for (Eigen::Index i = 0; i < k; ++i) x[i] -= at(i, k) * x[k];
  }
}

// The factors for one w, and a solution by them. Residuals are those of the equations above, divided by w.
template <class Scalar>
class SplitFactors {
 public:
  using Column = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  explicit SplitFactors(const SplitNewton& split)
      : small_(split.freedoms()),
        p_(split.coordinates()),
        d_(split.coordinates()),
        b_(split.coordinates()),
        u_(split.coordinates()),
        rows_(split.rows()),
        other_rows_(split.rows()),
        z_(split.freedoms()) {}

  void factor(const SplitNewton& split, Scalar wv, Scalar wq) {
    wv_ = wv;
    wq_ = wq;
    split.reduce(wv, wq, small_.entries());
    small_.factor();
  }
  void solve(const SplitNewton& split, const LinearizedEquations& of, const Column& r, Column& x);

 private:
  // b_ -= (M - wv f_v) x + wq K u.
  void subtract_forces(const LinearizedEquations& of, const Scalar* x, const Scalar* u);

  Scalar wv_{}, wq_{};
  SmallFactors<Scalar> small_;
  Column p_, d_, b_, u_, rows_, other_rows_, z_;
};

template <class Scalar>
void SplitFactors<Scalar>::subtract_forces(const LinearizedEquations& of, const Scalar* x, const Scalar* u) {
  accumulate<false>(of.M, x, b_.data());
  u_.setZero();
  accumulate<true>(of.f_v, x, u_.data());
  b_ += wv_ * u_;
  u_.setZero();
  accumulate<true>(of.K, u, u_.data());
  b_ -= wq_ * u_;
}

template <class Scalar>
void SplitFactors<Scalar>::solve(const SplitNewton& split, const LinearizedEquations& of, const Column& r, Column& x) {
  const Eigen::Index n = split.coordinates();
  const Eigen::Index m = split.rows();
  const Scalar* const of_velocities = r.data() + n;
  const Scalar* const of_positions = split.has_eta() ? of_velocities + m : of_velocities;
  const Scalar rho = split.has_eta() ? wq_ / wv_ : Scalar(0.0);
  p_.setZero();
  accumulate<true>(split.R, of_positions, p_.data());
  if (split.has_eta()) {
    rows_.setZero();
    accumulate<true>(of.Gdot, p_.data(), rows_.data());
    rows_ = r.segment(n, m) - rho * rows_;
    d_.setZero();
    accumulate<true>(split.R, rows_.data(), d_.data());
  } else {
    d_ = p_;
  }
  b_ = r.head(n);
  subtract_forces(of, d_.data(), p_.data());
  z_.setZero();
  accumulate<true>(split.Nt, b_.data(), z_.data());
  small_.solve(z_.data());
  accumulate<true>(split.N, z_.data(), p_.data());  // u
  accumulate<true>(split.N, z_.data(), d_.data());
  if (split.has_eta()) {
    other_rows_ = rows_ - r.segment(n + m, m);
    z_ *= -rho;
    accumulate<true>(split.E, z_.data(), d_.data());
    accumulate<true>(split.GdotN, z_.data(), other_rows_.data());
    x.tail(m).setZero();
    accumulate<true>(split.inverse, other_rows_.data(), x.data() + n + m);
  }
  x.head(n) = d_;
  b_ = r.head(n);
  subtract_forces(of, d_.data(), p_.data());
  x.segment(n, m).setZero();
  accumulate<true>(split.Rt, b_.data(), x.data() + n);
}

}  // namespace raak

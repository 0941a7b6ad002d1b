#include "methods/collocation/newton_lanes.h"

#include <cmath>
#include <limits>

namespace raak {

template <int s>
StageCorrection<s>::StageCorrection(const CollocationSpectrum& spectrum) {
  for (int k = 0; k < groups * lanes; ++k) {
    // Lanes beyond the pairs repeat one and count for nothing.
    const auto pair = static_cast<std::size_t>(k % pairs);
    const bool counts = k < pairs;
    const auto group = static_cast<std::size_t>(k / lanes);
    nu_[group].re.x[k % lanes] = spectrum.nu[pair].real();
    nu_[group].im.x[k % lanes] = spectrum.nu[pair].imag();
    for (int j = 0; j < s; ++j) {
      const auto stage = static_cast<std::size_t>(j);
      const auto to = spectrum.to[pair * s + stage];
      const auto from = spectrum.from[pair * s + stage];
      to_[group][stage].re.x[k % lanes] = counts ? to.real() : 0.0;
      to_[group][stage].im.x[k % lanes] = counts ? to.imag() : 0.0;
      if (!counts) continue;
      from_[pair][stage / lanes].re.x[j % lanes] = 2.0 * from.real();
      from_[pair][stage / lanes].im.x[j % lanes] = 2.0 * from.imag();
    }
  }
}

template <int s>
NewtonLanes<s>::NewtonLanes(int n, int m, const CollocationSpectrum& spectrum)
    : StageCorrection<s>(spectrum),
      n_(n),
      m_(m),
      H_(size(n * n)),
      X_(size(n * (n + m))),
      S_(size(m * m)),
      Z_(size(m * n)),
      W_(size(n * n)),
      r_(size(n)) {}

// Solves matrix X = right (size x columns) in place, without pivoting: the matrices are near M, or dominated by a
// stiffness with a complex factor.
template <int s>
RAAK_INLINE void NewtonLanes<s>::eliminate(std::vector<ComplexPack>& matrix, int order, std::vector<ComplexPack>& right,
                                           int columns, std::size_t g) const {
  for (int k = 0; k < order; ++k) {
    const ComplexPack pivot = inverse(at(matrix, order * k + k, g));
    for (int j = k + 1; j < order; ++j) at(matrix, order * k + j, g) = product(pivot, at(matrix, order * k + j, g));
    for (int j = 0; j < columns; ++j) at(right, columns * k + j, g) = product(pivot, at(right, columns * k + j, g));
    for (int i = k + 1; i < order; ++i) {
      const ComplexPack below = at(matrix, order * i + k, g);
      for (int j = k + 1; j < order; ++j)
        subtract_product(at(matrix, order * i + j, g), below, at(matrix, order * k + j, g));
      for (int j = 0; j < columns; ++j)
        subtract_product(at(right, columns * i + j, g), below, at(right, columns * k + j, g));
    }
  }
  for (int k = order - 1; k > 0; --k)
    for (int i = 0; i < k; ++i) {
      const ComplexPack above = at(matrix, order * i + k, g);
      for (int j = 0; j < columns; ++j)
        subtract_product(at(right, columns * i + j, g), above, at(right, columns * k + j, g));
    }
}

template <int s>
template <int n>
RAAK_INLINE void NewtonLanes<s>::factor_small(const StateLinearization& system, double h, std::size_t g) {
  const ComplexPack once{Pack(h) * nu_[g].re, Pack(h) * nu_[g].im};
  const ComplexPack twice = product(once, once);
  std::array<std::array<ComplexPack, n>, n> H, X;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < n; ++i)
#pragma GCC unroll 4
    for (std::size_t j = 0; j < n; ++j) {
      const Pack M(system.M.data()[i + n * j]);
      const Pack D(system.D.data()[i + n * j]);
      const Pack K(system.K.data()[i + n * j]);
      H[i][j] = {M + once.re * D + twice.re * K, once.im * D + twice.im * K};
      X[i][j] = {M, Pack(0.0)};
    }
#pragma GCC unroll 4
  for (std::size_t k = 0; k < n; ++k) {
    const ComplexPack pivot = inverse(H[k][k]);
#pragma GCC unroll 4
    for (std::size_t j = k + 1; j < n; ++j) H[k][j] = product(pivot, H[k][j]);
#pragma GCC unroll 4
    for (std::size_t j = 0; j < n; ++j) X[k][j] = product(pivot, X[k][j]);
#pragma GCC unroll 4
    for (std::size_t i = k + 1; i < n; ++i) {
#pragma GCC unroll 4
      for (std::size_t j = k + 1; j < n; ++j) subtract_product(H[i][j], H[i][k], H[k][j]);
#pragma GCC unroll 4
      for (std::size_t j = 0; j < n; ++j) subtract_product(X[i][j], H[i][k], X[k][j]);
    }
  }
#pragma GCC unroll 4
  for (std::size_t k = n - 1; k > 0; --k)
#pragma GCC unroll 4
    for (std::size_t i = 0; i < k; ++i)
#pragma GCC unroll 4
      for (std::size_t j = 0; j < n; ++j) subtract_product(X[i][j], H[i][k], X[k][j]);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < n; ++i)
#pragma GCC unroll 4
    for (std::size_t j = 0; j < n; ++j) W_[(n * i + j) * groups + g] = X[i][j];
}

template <int s>
RAAK_INLINE void NewtonLanes<s>::factor_group(const StateLinearization& system, double h, std::size_t g) {
  const int columns = n_ + m_;
  const ComplexPack once{Pack(h) * nu_[g].re, Pack(h) * nu_[g].im};
  const ComplexPack twice = product(once, once);
  for (int i = 0; i < n_; ++i) {
    for (int j = 0; j < n_; ++j) {
      const Pack M(system.M(i, j));
      at(H_, n_ * i + j, g) = {M + once.re * Pack(system.D(i, j)) + twice.re * Pack(system.K(i, j)),
                               once.im * Pack(system.D(i, j)) + twice.im * Pack(system.K(i, j))};
      at(X_, columns * i + j, g) = {M, Pack(0.0)};
    }
    for (int k = 0; k < m_; ++k) at(X_, columns * i + n_ + k, g) = {Pack(system.G(k, i)), Pack(0.0)};
  }
  eliminate(H_, n_, X_, columns, g);  // X = H^-1 [M G']
  for (int k = 0; k < m_; ++k) {
    for (int j = 0; j < columns; ++j) {
      ComplexPack sum{Pack(j < n_ ? -system.G(k, j) : 0.0), Pack(0.0)};
      for (int i = 0; i < n_; ++i) {
        const Pack G(system.G(k, i));
        sum.re += G * at(X_, columns * i + j, g).re;
        sum.im += G * at(X_, columns * i + j, g).im;
      }
      if (j < n_) at(Z_, n_ * k + j, g) = sum;
      else at(S_, m_ * k + (j - n_), g) = sum;
    }
  }
  eliminate(S_, m_, Z_, n_, g);  // Z = (G H^-1 G')^-1 (G H^-1 M - G)
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < n_; ++j) {
      ComplexPack w = at(X_, columns * i + j, g);
      for (int k = 0; k < m_; ++k) subtract_product(w, at(X_, columns * i + n_ + k, g), at(Z_, n_ * k + j, g));
      at(W_, n_ * i + j, g) = w;
    }
}

template <int s>
bool NewtonLanes<s>::factor(const StateLinearization& system, double h) {
  departure_ = -1.0;
  return in_widest_lanes([&]() RAAK_LANES {
    for (std::size_t g = 0; g < groups; ++g) {
      // Small matrices in registers and unrolled: twice to three times as fast as loops.
      if (m_ == 0 && n_ == 1) factor_small<1>(system, h, g);
      else if (m_ == 0 && n_ == 2) factor_small<2>(system, h, g);
      else if (m_ == 0 && n_ == 3) factor_small<3>(system, h, g);
      else if (m_ == 0 && n_ == 4) factor_small<4>(system, h, g);
      else factor_group(system, h, g);
    }
    Pack total(0.0);
    for (const ComplexPack& w : W_) total += abs(w.re) + abs(w.im);
    return (total[0] + total[1]) + (total[2] + total[3]) <= std::numeric_limits<double>::max();
  });
}

template <int s>
double NewtonLanes<s>::correct(const double* residual, double* a, const double* weight, const int* component) {
  return in_widest_lanes([&]() RAAK_LANES {
    Pack largest(0.0);
    for (std::size_t g = 0; g < groups; ++g) {
      for (int d = 0; d < n_; ++d) at(r_, d, g) = this->decoupled(residual + s * d, g);
      // Two rows at a time share the loads of r and hide each other's latency.
      int d = 0;
      for (; d + 1 < n_; d += 2) {
        ComplexPack x{Pack(0.0), Pack(0.0)};
        ComplexPack y = x;
        for (int c = 0; c < n_; ++c) {
          const ComplexPack& r = at(r_, c, g);
          add_product(x, at(W_, n_ * d + c, g), r);
          add_product(y, at(W_, n_ * (d + 1) + c, g), r);
        }
        at(X_, d, g) = x;
        at(X_, d + 1, g) = y;
      }
      if (d < n_) {
        ComplexPack x{Pack(0.0), Pack(0.0)};
        for (int c = 0; c < n_; ++c) add_product(x, at(W_, n_ * d + c, g), at(r_, c, g));
        at(X_, d, g) = x;
      }
    }
    for (int d = 0; d < n_; ++d)
      largest = max(largest, this->add_coupled(&at(X_, d, 0), a + s * component[d]) * Pack(weight[component[d]]));
    double most = 0.0;
    for (int i = 0; i < lanes; ++i)
      if (largest[i] > most) most = largest[i];
    return most;
  });
}

template <int s>
double NewtonLanes<s>::departure(const double* weight, const int* component) const {
  if (departure_ < 0.0) {
    Pack largest(0.0);
    for (std::size_t g = 0; g < groups; ++g) {
      Pack total(0.0);
      for (int i = 0; i < n_; ++i)
        for (int j = 0; j < n_; ++j) {
          const ComplexPack& w = W_[static_cast<std::size_t>(n_ * i + j) * groups + g];
          const Pack scale(weight[component[i]] / weight[component[j]]);
          const Pack off = (w.re - Pack(i == j ? 1.0 : 0.0)) * scale;
          total += off * off + w.im * w.im * scale * scale;
        }
      largest = max(largest, total);
    }
    departure_ = std::sqrt(largest_lane(largest));
  }
  return departure_;
}

// Products of factor_group; the small ones of factor_small are in registers.
template <int s>
double NewtonLanes<s>::factor_cost() const {
  const double n = n_, m = m_;
  const double products =
      n * n * (n / 3.0 + n + m) + 0.5 * m * n * (n + m) + m * m * (m / 3.0 + n) + n * n * m + 4.0 * (n + m);
  return this->cycles_per_product * groups * products;
}

template <int s>
double NewtonLanes<s>::correction_cost() const {
  return groups * n_ * (this->cycles_per_product * n_ + 2.0 * s);
}

template class StageCorrection<4>;
template class StageCorrection<8>;
template class StageCorrection<16>;
template class NewtonLanes<4>;
template class NewtonLanes<8>;
template class NewtonLanes<16>;

}  // namespace raak

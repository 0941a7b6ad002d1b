#include "methods/linear/sparse_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

namespace raak {
namespace {

constexpr double scattered = 2.5;  // what it takes longer to find numbers one by one than in a row
constexpr int probes = 4;          // random directions in which a norm is estimated

template <class Visit>
void each_entry(const SparseMatrix& A, const Visit& visit) {
  for (int j = 0; j < A.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) visit(static_cast<int>(entry.row()), j);
}

}  // namespace

SaddlePattern::SaddlePattern(const StateLinearization& system) : n_(static_cast<int>(system.sparse.M.rows())) {
  const auto& parts = system.sparse;
  const auto size = static_cast<std::size_t>(n_ + parts.G.rows());
  std::vector<std::vector<int>> neighbours(size);
  const auto join = [&](int i, int j) {
    if (i == j) return;
    neighbours[static_cast<std::size_t>(i)].push_back(j);
    neighbours[static_cast<std::size_t>(j)].push_back(i);
  };
  for (const SparseMatrix* square : {&parts.M, &parts.inertia, &parts.f_q, &parts.f_v}) each_entry(*square, join);
  each_entry(parts.G, [&](int i, int j) { join(n_ + i, j); });
  for (std::vector<int>& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  std::vector<char> early(size, 0);
  std::fill_n(early.begin(), n_, 1);
  elimination_ = std::make_unique<PatternElimination>(std::move(neighbours), early);
  const auto list = [&](const SparseMatrix& A, std::vector<std::size_t>& places) {
    each_entry(A, [&](int i, int j) { places.push_back(elimination_->place(i, j)); });
  };
  list(parts.M, M);
  list(parts.inertia, inertia);
  list(parts.f_q, f_q);
  list(parts.f_v, f_v);
  each_entry(parts.G, [&](int i, int j) {
    G.push_back(elimination_->place(n_ + i, j));
    G_transposed.push_back(elimination_->place(j, n_ + i));
  });
}

template <int s>
bool SparseNewton<s>::factor(const StateLinearization& system, double h) {
  departure_ = -1.0;
  const auto& parts = system.sparse;
  pattern_ = system.pattern;
  M_ = parts.M;
  G_ = parts.G;
  const PatternElimination& elimination = pattern_->elimination();
  const auto size = static_cast<std::size_t>(elimination.size());
  values_.resize(groups * elimination.numbers());
  x_.resize(groups * size);
  right_.resize(size);
  scratch_.resize(size);
  return in_widest_lanes([&]() RAAK_LANES {
    Pack total(0.0);
    for (std::size_t g = 0; g < groups; ++g) {
      ComplexPack* const values = values_.data() + g * elimination.numbers();
      const ComplexPack once{Pack(h) * nu_[g].re, Pack(h) * nu_[g].im};
      const ComplexPack twice = product(once, once);
      const ComplexPack one{Pack(1.0), Pack(0.0)};
      for (std::size_t i = 0; i < elimination.numbers(); ++i) values[i] = {Pack(0.0), Pack(0.0)};
      const auto add = [&](const SparseMatrix& A, const std::vector<std::size_t>& places, const ComplexPack& factor,
                           double sign) RAAK_LANES {
        const double* const numbers = A.valuePtr();
        for (std::size_t i = 0; i < places.size(); ++i) {
          const Pack number(sign * numbers[i]);
          values[places[i]].re += factor.re * number;
          values[places[i]].im += factor.im * number;
        }
      };
      add(parts.M, pattern_->M, one, 1.0);
      add(parts.inertia, pattern_->inertia, twice, 1.0);
      add(parts.f_q, pattern_->f_q, twice, -1.0);
      add(parts.f_v, pattern_->f_v, once, -1.0);
      add(parts.G, pattern_->G, one, 1.0);
      add(parts.G, pattern_->G_transposed, one, 1.0);
      elimination.factor(values, scratch_.data());
      for (std::size_t i = 0; i < elimination.numbers(); ++i) total += abs(values[i].re) + abs(values[i].im);
    }
    return (total[0] + total[1]) + (total[2] + total[3]) <= std::numeric_limits<double>::max();
  });
}

template <int s>
RAAK_INLINE void SparseNewton<s>::solve(std::size_t g, ComplexPack* x) const {
  const PatternElimination& elimination = pattern_->elimination();
  const int n = pattern_->coordinates();
  for (ComplexPack& number : right_) number = {Pack(0.0), Pack(0.0)};
  const auto multiply = [&](const SparseMatrix& A, int first) RAAK_LANES {
    const int* const begins = A.outerIndexPtr();
    const int* const rows = A.innerIndexPtr();
    const double* const numbers = A.valuePtr();
    for (int j = 0; j < n; ++j)
      for (int i = begins[j]; i < begins[j + 1]; ++i) {
        ComplexPack& sum = right_[static_cast<std::size_t>(first + rows[i])];
        sum.re += Pack(numbers[i]) * x[j].re;
        sum.im += Pack(numbers[i]) * x[j].im;
      }
  };
  multiply(M_, 0);
  if (elimination.size() > n) multiply(G_, n);
  for (std::size_t i = 0; i < right_.size(); ++i) x[i] = right_[i];
  elimination.solve(values_.data() + g * elimination.numbers(), x, scratch_.data());
}

template <int s>
double SparseNewton<s>::correct(const double* residual, double* a, const double* weight, const int* component) {
  return in_widest_lanes([&]() RAAK_LANES {
    const int n = pattern_->coordinates();
    const std::size_t size = right_.size();
    for (std::size_t g = 0; g < groups; ++g) {
      ComplexPack* const x = x_.data() + g * size;
      for (int d = 0; d < n; ++d) x[d] = this->decoupled(residual + s * d, g);
      solve(g, x);
    }
    Pack largest(0.0);
    for (int d = 0; d < n; ++d) {
      std::array<ComplexPack, groups> x;
      for (std::size_t g = 0; g < groups; ++g) x[g] = x_[g * size + static_cast<std::size_t>(d)];
      largest = max(largest, this->add_coupled(x.data(), a + s * component[d]) * Pack(weight[component[d]]));
    }
    double most = 0.0;
    for (int i = 0; i < lanes; ++i)
      if (largest[i] > most) most = largest[i];
    return most;
  });
}

// By power iteration from random directions, the same in every run: |(W - I)^2 z| / |(W - I) z|. A norm over all
// entries would grow with the number of bodies, where the contraction of sweeps does not.
template <int s>
double SparseNewton<s>::departure(const double* weight, const int* component) const {
  if (departure_ >= 0.0) return departure_;
  const int n = pattern_->coordinates();
  std::mt19937 random(1);
  std::vector<ComplexPack> z(static_cast<std::size_t>(n));
  std::array<std::array<Pack, groups>, 2> squares;
  for (auto& each : squares) each.fill(Pack(0.0));
  for (int probe = 0; probe < probes; ++probe)
    for (std::size_t g = 0; g < groups; ++g) {
      for (ComplexPack& number : z) number = {Pack((random() & 1U) != 0U ? 1.0 : -1.0), Pack(0.0)};
      in_widest_lanes([&]() RAAK_LANES {
        for (std::size_t power = 0; power < 2; ++power) {
          ComplexPack* const x = x_.data();
          for (int d = 0; d < n; ++d) {
            const ComplexPack& number = z[static_cast<std::size_t>(d)];
            const Pack per_weight(1.0 / weight[component[d]]);
            x[d] = {number.re * per_weight, number.im * per_weight};
          }
          solve(g, x);
          for (int d = 0; d < n; ++d) {
            ComplexPack& number = z[static_cast<std::size_t>(d)];
            const Pack counts(weight[component[d]]);
            number = {x[d].re * counts - number.re, x[d].im * counts - number.im};
            squares[power][g] += number.re * number.re + number.im * number.im;
          }
        }
      });
    }
  double largest = 0.0;
  for (std::size_t g = 0; g < groups; ++g)
    for (int k = 0; k < lanes; ++k)
      if (squares[0][g][k] > 0.0) largest = std::max(largest, squares[1][g][k] / squares[0][g][k]);
  departure_ = std::sqrt(largest);
  return departure_;
}

template <int s>
double SparseNewton<s>::factor_cost() const {
  if (!pattern_) return 0.0;
  const PatternElimination& elimination = pattern_->elimination();
  const double numbers = static_cast<double>(elimination.numbers());
  return scattered * groups * (this->cycles_per_product * elimination.factor_products() + 6.0 * numbers);
}

template <int s>
double SparseNewton<s>::correction_cost() const {
  if (!pattern_) return 0.0;
  const double numbers = static_cast<double>(M_.nonZeros() + G_.nonZeros());
  return scattered * groups *
         (this->cycles_per_product * pattern_->elimination().solution_products() + 2.0 * numbers +
          2.0 * s * pattern_->coordinates());
}

template class SparseNewton<4>;
template class SparseNewton<8>;
template class SparseNewton<16>;

}  // namespace raak

// The stages of a collocation step side by side in SIMD lanes. The unknowns are the accelerations of the stages, a_i;
// with
//   Q_i = q + c_i h v + h^2 sum_j AA_ij a_j,   V_i = v + h sum_j A_ij a_j
// they are sought such that a_i is the acceleration of (t + c_i h, Q_i, V_i). Entry i of component d lies at [s d + i].
#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/code/machine.h"
#include "base/pack.h"
#include "kinematics/rank/rank_policy.h"
#include "methods/collocation/collocation.h"
#include "methods/resumable.h"
#include "system/constrained_system.h"

namespace raak {

// A formula in lanes, compiled twice: for any x86-64 and for AVX2; the machine chooses. To be written as
// in_widest_lanes([&]() RAAK_LANES { ... }).
#define RAAK_LANES __attribute__((always_inline))
// By reference: a copy of what the formula captures, made on the way, would stall on the stores that it reads.
template <class F>
[[gnu::target("avx2,fma"), gnu::flatten, gnu::noinline]] auto in_avx2(const F& f) {
  return f();
}
template <class F>
RAAK_INLINE auto in_widest_lanes(const F& f) {
  return machine_has_avx2 ? in_avx2(f) : f();
}

RAAK_INLINE double largest_lane(const Pack& a) {
  const double low = a[0] > a[1] ? a[0] : a[1];
  const double high = a[2] > a[3] ? a[2] : a[3];
  return low > high ? low : high;
}

// Packs are copied by their member x: GCC copies the struct in two halves where AVX2 is not on for the whole file, and
// reading the whole back then waits for both stores.

// Doubles that start on a boundary of 32 bytes.
class LaneArray {
 public:
  LaneArray() = default;
  explicit LaneArray(int size) : packs_(static_cast<std::size_t>((size + lanes - 1) / lanes), Pack(0.0)) {}
  double* data() { return reinterpret_cast<double*>(packs_.data()); }
  const double* data() const { return reinterpret_cast<const double*>(packs_.data()); }
  double& operator[](int i) { return data()[i]; }
  double operator[](int i) const { return data()[i]; }
  void swap(LaneArray& other) { packs_.swap(other.packs_); }

  void visit_state(Archive& archive) { archive(packs_); }

 private:
  std::vector<Pack> packs_;
};

// How the Legendre series of a step ends, weighted, the largest of the components: max(|last|, |last but one| / 10),
// the larger of the last two coefficients, and that of the two before them.
struct SeriesEnd {
  double last, last_two, two_before;
};

template <int s>
class StageLanes {
 public:
  static constexpr int blocks = s / lanes;
  static_assert(s % lanes == 0);

  StageLanes(const ConstrainedSystem& system, const Collocation& rule)
      : a(s * system.coordinates()),
        residual(s * system.coordinates()),
        system_(system),
        n_(system.coordinates()),
        Q_(lanes * n_),
        V_(lanes * n_),
        found_(lanes * n_) {
    for (int i = 0; i < s; ++i) {
      const auto row = static_cast<std::size_t>(i);
      const auto block = static_cast<std::size_t>(i / lanes);
      c_[block].x[i % lanes] = rule.c[row];
      for (int j = 0; j < s; ++j) {
        const auto column = static_cast<std::size_t>(j);
        A_[block][column].x[i % lanes] = rule.a(i, j);
        AA_[block][column].x[i % lanes] = rule.aa(i, j);
        series_[block][column].x[i % lanes] = rule.series(i, j);
      }
    }
  }

  // Every sweep until the next call is over a step of length h.
  void set_step(double h) {
    in_widest_lanes([&]() RAAK_LANES {
      for (std::size_t b = 0; b < blocks; ++b) {
        hc_[b] = Pack(h) * c_[b];
        for (std::size_t j = 0; j < s; ++j) {
          hA_[b][j] = Pack(h) * A_[b][j];
          hAA_[b][j] = Pack(h * h) * AA_[b][j];
        }
      }
    });
  }

  // The accelerations that a Legendre series of another step, `width` terms a component, has at its parameter
  // from + ratio c_i; a step has the parameters 0 to 1. Beyond its step the terms of a series soon grow: given
  // the weights of the components, it is cut where they are smallest at the far end, as a divergent series is.
  void predict(const double* series, int width, double from, double ratio, const double* weight = nullptr) {
    in_widest_lanes([&]() RAAK_LANES {
      std::array<std::array<Pack, blocks>, s> P;
      for (std::size_t b = 0; b < blocks; ++b) {
        const Pack x = Pack(2.0 * from - 1.0) + Pack(2.0 * ratio) * c_[b];
        P[0][b] = Pack(1.0);
        P[1][b] = x;
#pragma GCC unroll 16
        for (std::size_t k = 2; k < s; ++k) {
          const auto degree = static_cast<double>(k);
          P[k][b] = Pack((2.0 * degree - 1.0) / degree) * x * P[k - 1][b] - Pack((degree - 1.0) / degree) * P[k - 2][b];
        }
      }
      const int known = width < s ? width : s;
      const bool goes_far = weight != nullptr && 2.0 * (from + ratio) - 1.0 > 1.5;
      const int terms = goes_far ? terms_before_growth(series, width, known, weight, P) : known;
      for (int d = 0; d < n_; ++d) {
        const double* of = series + width * d;
        for (std::size_t b = 0; b < blocks; ++b) {
          Pack sum(of[0]);
          if (terms == s) {
#pragma GCC unroll 16
            for (std::size_t k = 1; k < s; ++k) sum += P[k][b] * Pack(of[k]);
          } else {
            for (int k = 1; k < terms; ++k) sum += P[static_cast<std::size_t>(k)][b] * Pack(of[k]);
          }
          sum.store(a.data() + s * d + lanes * static_cast<int>(b));
        }
      }
    });
  }

  // One fixed-point sweep, block by block: a_i becomes the acceleration of stage i. Returns the largest change times
  // weight[d]; infinite if anything is, or if the constraint rows are dependent.
  double sweep(double t, const double* q, const double* v, const double* weight) {
    return in_widest_lanes([&]() RAAK_LANES { return evaluate<true>(t, q, v, weight); });
  }
  // The same into `residual`: what the acceleration of stage i is more than a_i.
  double find_residual(double t, const double* q, const double* v, const double* weight) {
    return in_widest_lanes([&]() RAAK_LANES { return evaluate<false>(t, q, v, weight); });
  }

  // The Legendre series of the interpolant of a, s terms a component.
  SeriesEnd transform(const double* weight, double* series) const {
    return in_widest_lanes([&]() RAAK_LANES {
      Pack largest(0.0);
      for (int d = 0; d < n_; ++d) {
        std::array<Pack, blocks> sum;
        for (std::size_t b = 0; b < blocks; ++b) sum[b] = Pack(0.0);
#pragma GCC unroll 16
        for (int j = 0; j < s; ++j) {
          const Pack aj(a[s * d + j]);
          for (std::size_t b = 0; b < blocks; ++b) sum[b] += series_[b][static_cast<std::size_t>(j)] * aj;
        }
        for (std::size_t b = 0; b < blocks; ++b) sum[b].store(series + s * d + lanes * static_cast<int>(b));
        largest = max(largest, abs(sum[blocks - 1]) * Pack(weight[d]));
      }
      return SeriesEnd{largest[3] > 0.1 * largest[2] ? largest[3] : 0.1 * largest[2],
                       largest[3] > largest[2] ? largest[3] : largest[2],
                       largest[1] > largest[0] ? largest[1] : largest[0]};
    });
  }

  // Where a step of length h from (q, v) ends whose accelerations have this series: of all its terms only the first has
  // an integral, and only the first two have a second one.
  void finish(double h, const double* q, const double* v, const double* series, double* q_end, double* v_end) const {
    for (int d = 0; d < n_; ++d, series += s) {
      q_end[d] = q[d] + (h * v[d] + h * h * (0.5 * series[0] - series[1] / 6.0));
      v_end[d] = v[d] + h * series[0];
    }
  }

  // Of the last sweep: the smallest squared sine of the angle between constraint rows at a stage.
  double weakest_rows() const {
    return weakest_rows_;
  }

  void visit_state(Archive& archive) {
    archive(a, residual, hc_, hA_, hAA_, Q_, V_, found_, weakest_rows_);
    scratch(system_, n_, c_, A_, AA_, series_);
  }

  LaneArray a, residual;

 protected:
  const ConstrainedSystem& system_;
  int n_;
  std::array<Pack, blocks> c_;
  std::array<std::array<Pack, s>, blocks> A_, AA_, series_;
  std::array<Pack, blocks> hc_;
  std::array<std::array<Pack, s>, blocks> hA_, hAA_;

 private:
  // How many terms of a series come before those that are smallest at the last stage; all of them where they fall.
  RAAK_INLINE int terms_before_growth(const double* series, int width, int terms, const double* weight,
                                      const std::array<std::array<Pack, blocks>, s>& P) const {
    std::array<Pack, blocks> size;
    for (std::size_t b = 0; b < blocks; ++b) size[b] = Pack(0.0);
    const int packs = terms / lanes;
    for (int d = 0; d < n_; ++d)
      for (int b = 0; b < packs; ++b) {
        Pack& largest = size[static_cast<std::size_t>(b)];
        largest = max(largest, abs(Pack::load(series + width * d + lanes * b)) * Pack(weight[d]));
      }
    std::array<double, s> at_end;
    for (int k = 0; k < terms; ++k) {
      const auto degree = static_cast<std::size_t>(k);
      at_end[degree] = size[degree / lanes][k % lanes] * std::abs(P[degree][blocks - 1][lanes - 1]);
    }
    // A term may be small by chance: what is left out counts as the larger of its first two terms.
    const auto left_out = [&](int k) {
      const auto first = static_cast<std::size_t>(k);
      return at_end[first] > at_end[first + 1] ? at_end[first] : at_end[first + 1];
    };
    constexpr double clearly = 0.2;
    int best = terms;
    double smallest = clearly * left_out(terms - 2);
    for (int k = terms - 2; k > 0; --k) {
      const double size_left_out = left_out(k);
      if (size_left_out >= smallest) continue;
      smallest = size_left_out;
      best = k;
    }
    return best;
  }

  template <bool keep>
  RAAK_INLINE double evaluate(double t, const double* q, const double* v, const double* weight) {
    Pack largest(0.0);
    Pack total(0.0);
    Pack pivot(1.0);
    for (std::size_t b = 0; b < blocks; ++b) {
      const Pack hc(hc_[b].x);
      const double* ad = a.data();
      double* Q = Q_.data();
      double* V = V_.data();
      for (int d = 0; d < n_; ++d, ad += s, Q += lanes, V += lanes) {
        const Pack vd(v[d]);
        Pack moved = hc * vd;
        Pack rate = hA_[b][0] * Pack(ad[0]);
        moved += hAA_[b][0] * Pack(ad[0]);
#pragma GCC unroll 16
        for (std::size_t j = 1; j < s; ++j) {
          const Pack aj(ad[j]);
          moved += hAA_[b][j] * aj;
          rate += hA_[b][j] * aj;
        }
        (Pack(q[d]) + moved).store(Q);
        (vd + rate).store(V);
      }
      alignas(32) double time[lanes];
      alignas(32) double smallest[lanes];
      (Pack(t) + hc).store(time);
      system_.accelerate_lanes(time, Q_.data(), V_.data(), found_.data(), nullptr, smallest);
      pivot = min(pivot, Pack::load(smallest));
      const double* from = found_.data();
      double* at = a.data() + lanes * static_cast<int>(b);
      double* to = residual.data() + lanes * static_cast<int>(b);
      for (int d = 0; d < n_; ++d, from += lanes, at += s, to += s) {
        const Pack found = Pack::load(from);
        const Pack difference = found - Pack::load(at);
        const Pack change = abs(difference) * Pack(weight[d]);
        largest = max(largest, change);
        total += change;
        if constexpr (keep) found.store(at);
        else difference.store(to);
      }
    }
    const double sum = (total[0] + total[1]) + (total[2] + total[3]);
    const bool finite = sum <= std::numeric_limits<double>::max();  // false for NaN too
    weakest_rows_ = -largest_lane(-pivot);
    return finite && weakest_rows_ > RankPolicy::lost_pivot ? largest_lane(largest)
                                                            : std::numeric_limits<double>::infinity();
  }

  LaneArray Q_, V_, found_;
  double weakest_rows_ = 1.0;
};

}  // namespace raak

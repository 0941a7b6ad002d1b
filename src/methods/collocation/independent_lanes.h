// The stages of a collocation step in independent coordinates, side by side in SIMD lanes. Only the independent part of
// Q and V is integrated from the accelerations. The dependent part is an unknown of its own: each sweep takes one
// Newton step towards the constraints, whose result, carried along N by the change of the independent part, is where
// the next sweep evaluates. One evaluation serves both.
#pragma once
#include <algorithm>

#include "methods/collocation/stage_lanes.h"
#include "system/recorded/partition/partition.h"

namespace raak {

template <int s>
class IndependentLanes : public StageLanes<s> {
 public:
  using StageLanes<s>::blocks;
  using StageLanes<s>::a;
  using StageLanes<s>::residual;

  IndependentLanes(const ConstrainedSystem& system, const Collocation& rule)
      : StageLanes<s>(system, rule),
        m_(system.position_rows()),
        Q_(blocks * lanes * n_),
        V_(lanes * n_),
        moved_(lanes * n_),
        found_(lanes * n_),
        evaluated_(s * n_),
        dependent_(blocks * width()),
        determinants_(blocks * lanes * m_),
        per_reference_(m_) {}

  // `chosen` has the pivots of the partition and the determinants of the configuration.
  void use(const Partition& partition, const PivotPlan& chosen) {
    partition_ = &partition;
    for (int k = 0; k < pivot_blocks(); ++k)
      per_reference_[k] = 1.0 / chosen.blocks[static_cast<std::size_t>(k)].reference;
  }
  // Where a determinant has grown since it was chosen, it is judged by what it is now; where it has changed sign, by
  // the new one.
  void follow_references() {
    const double* last = determinants_.data() + lanes * m_ * (blocks - 1) + lanes - 1;
    for (int k = 0; k < pivot_blocks(); ++k) {
      const double now = last[lanes * k];
      if (std::abs(now * per_reference_[k]) > 1.0) per_reference_[k] = 1.0 / now;
      if (now * per_reference_[k] < 0.0) per_reference_[k] = -per_reference_[k];
    }
  }
  // The signs of the determinants at the start of a step, given relative to the plan: those of the references.
  void take_signs(const std::vector<double>& relative) {
    for (int k = 0; k < pivot_blocks(); ++k)
      if (relative[static_cast<std::size_t>(k)] < 0.0) per_reference_[k] = -per_reference_[k];
  }
  // Of the last sweep, relative to the references: s of each block of pivots.
  void relative_pivots(std::vector<double>& pivots) const {
    pivots.resize(static_cast<std::size_t>(s * pivot_blocks()));
    for (int k = 0; k < pivot_blocks(); ++k)
      for (int i = 0; i < s; ++i)
        pivots[static_cast<std::size_t>(s * k + i)] =
            determinants_[lanes * m_ * (i / lanes) + lanes * k + i % lanes] * per_reference_[k];
  }

  // One sweep. The first of a step starts the dependent part from its predicted accelerations. Returns the largest
  // change of an acceleration times weight[d], infinite if one is; of one freedom, whose speeds all change in
  // proportion, the change of the independent one.
  double sweep(bool first, double t, const double* q, const double* v, const double* weight) {
    if (first) return in_widest_lanes([&]() RAAK_LANES { return evaluate<true, true>(t, q, v, weight); });
    return in_widest_lanes([&]() RAAK_LANES { return evaluate<false, true>(t, q, v, weight); });
  }
  // The same into `residual`, s entries for each independent coordinate: what the acceleration of a stage is more than
  // a_i. Only the dependent accelerations become those of the evaluation, until settle_dependent().
  double find_residual(bool first, double t, const double* q, const double* v, const double* weight) {
    if (first) return in_widest_lanes([&]() RAAK_LANES { return evaluate<true, false>(t, q, v, weight); });
    return in_widest_lanes([&]() RAAK_LANES { return evaluate<false, false>(t, q, v, weight); });
  }
  // Makes the dependent accelerations follow the corrections of the independent ones.
  void settle_dependent() {
    in_widest_lanes([&]() RAAK_LANES {
      const int freedoms = n_ - m_;
      for (std::size_t b = 0; b < blocks; ++b) {
        const double* N = dependent_.data() + width() * static_cast<int>(b) + lanes * 2 * m_;
        const int at = lanes * static_cast<int>(b);
        for (int i = 0; i < freedoms; ++i) {
          const double* ai = a.data() + s * partition_->independent()[static_cast<std::size_t>(i)] + at;
          (Pack::load(ai) - Pack::load(evaluated_.data() + s * i + at)).store(moved_.data() + lanes * i);
        }
        for (int k = 0; k < m_; ++k) {
          double* ak = a.data() + s * partition_->dependent()[static_cast<std::size_t>(k)] + at;
          Pack sum = Pack::load(ak);
          for (int i = 0; i < freedoms; ++i)
            sum += Pack::load(N + lanes * (k * freedoms + i)) * Pack::load(moved_.data() + lanes * i);
          sum.store(ak);
        }
      }
    });
  }
  // `partition`: the one in use, null where there is none.
  void visit_state(Archive& archive, const Partition* partition) {
    if (archive.is_loading()) partition_ = partition;
    StageLanes<s>::visit_state(archive);
    archive(Q_, V_, moved_, found_, evaluated_, dependent_, determinants_, per_reference_, smallest_pivot_);
    scratch(m_);
  }

  // Of the last sweep: the smallest determinant of a block of pivots relative to its reference. Negative: G_D has
  // passed a singular configuration on the way.
  double smallest_pivot() const { return smallest_pivot_; }

  // How far the dependent part found lies from the polynomial through its own accelerations: max over the last four
  // stages, where it has had most of the step to go astray, of weight[d] max(|Q|/h, |V|). Far off means another branch
  // of the constraints, or a step far too long.
  double distance(double h, const double* q, const double* v, const double* weight) const {
    return in_widest_lanes([&]() RAAK_LANES {
      Pack largest(0.0);
      const Pack rate = Pack(1.0 / std::abs(h));
      constexpr std::size_t b = blocks - 1;
      const double* found = dependent_.data() + width() * static_cast<int>(b);
      for (int k = 0; k < m_; ++k) {
        const int d = partition_->dependent()[static_cast<std::size_t>(k)];
        const double* ad = a.data() + s * d;
        Pack position = hc_[b] * Pack(v[d]);
        Pack velocity(0.0);
#pragma GCC unroll 16
        for (std::size_t j = 0; j < s; ++j) {
          const Pack aj(ad[j]);
          position += hAA_[b][j] * aj;
          velocity += hA_[b][j] * aj;
        }
        position += Pack(q[d]);
        velocity += Pack(v[d]);
        const Pack off_q = abs(position - Pack::load(found + lanes * k)) * rate;
        const Pack off_v = abs(velocity - Pack::load(found + lanes * (m_ + k)));
        largest = max(largest, max(off_q, off_v) * Pack(weight[d]));
      }
      return largest_lane(largest);
    });
  }

 private:
  using StageLanes<s>::n_;
  using StageLanes<s>::hc_;
  using StageLanes<s>::hA_;
  using StageLanes<s>::hAA_;

  int width() const {
    return lanes * m_ * (2 + std::max(0, n_ - m_));
  }
  int pivot_blocks() const {
    return static_cast<int>(partition_->plan().blocks.size());
  }

  // The independent part of the stages of block b, and how far it has moved since the sweep before.
  template <bool first>
  RAAK_INLINE void integrate(std::size_t b, const double* q, const double* v) {
    const int freedoms = n_ - m_;
    const int* integrated = partition_->independent().data();
    double* Q = Q_.data() + lanes * n_ * static_cast<int>(b);
    const Pack hc(hc_[b].x);
    for (int i = 0; i < freedoms; ++i) {
      const int d = integrated[i];
      const double* ad = a.data() + s * d;
      const Pack vd(v[d]);
      Pack moved = hc * vd;
      Pack rate(0.0);
#pragma GCC unroll 16
      for (std::size_t j = 0; j < s; ++j) {
        const Pack aj(ad[j]);
        moved += hAA_[b][j] * aj;
        rate += hA_[b][j] * aj;
      }
      const Pack position = Pack(q[d]) + moved;
      if constexpr (!first) (position - Pack::load(Q + lanes * d)).store(moved_.data() + lanes * i);
      position.store(Q + lanes * d);
      (vd + rate).store(V_.data() + lanes * d);
    }
  }

  template <bool first, bool keep>
  RAAK_INLINE double evaluate(double t, const double* q, const double* v, const double* weight) {
    Pack largest(0.0);
    Pack total(0.0);
    Pack pivot(1.0);
    const int freedoms = n_ - m_;
    const int* integrated = partition_->independent().data();
    const int* following = partition_->dependent().data();
    for (std::size_t b = 0; b < blocks; ++b) {
      double* Q = Q_.data() + lanes * n_ * static_cast<int>(b);
      double* found = dependent_.data() + width() * static_cast<int>(b);
      const Pack hc(hc_[b].x);
      integrate<first>(b, q, v);
      for (int k = 0; k < m_; ++k) {
        const int d = following[k];
        if constexpr (first) {
          const double* ad = a.data() + s * d;
          Pack way = hc * Pack(v[d]);
#pragma GCC unroll 16
          for (std::size_t j = 0; j < s; ++j) way += hAA_[b][j] * Pack(ad[j]);
          (Pack(q[d]) + way).store(Q + lanes * d);
        } else {
          Pack position = Pack::load(found + lanes * k);
          const double* N = found + lanes * (2 * m_ + k * freedoms);
          if (freedoms > 0) position += Pack::load(N) * Pack::load(moved_.data());
          for (int i = 1; i < freedoms; ++i)
            position += Pack::load(N + lanes * i) * Pack::load(moved_.data() + lanes * i);
          position.store(Q + lanes * d);
        }
      }
      alignas(32) double time[lanes];
      (Pack(t) + hc).store(time);
      double* determinants = determinants_.data() + lanes * m_ * static_cast<int>(b);
      partition_->evaluate(time, Q, V_.data(), {found_.data(), found, determinants});
      const int pivots = pivot_blocks();
      for (int k = 0; k < pivots; ++k)
        pivot = min(pivot, Pack::load(determinants + lanes * k) * Pack(per_reference_[k]));
      const double* from = found_.data();
      double* at = a.data() + lanes * static_cast<int>(b);
      if constexpr (keep) {
        const auto compare = [&](int d) RAAK_LANES {
          const Pack change = abs(Pack::load(from + lanes * d) - Pack::load(at + s * d)) * Pack(weight[d]);
          largest = max(largest, change);
          total += change;
        };
        if (freedoms == 1) compare(integrated[0]);
        else
          for (int d = 0; d < n_; ++d) compare(d);
        if constexpr (blocks > 1)
          for (int d = 0; d < n_; ++d) Pack::load(from + lanes * d).store(at + s * d);
        else a.swap(found_);
      } else {
        double* to = residual.data() + lanes * static_cast<int>(b);
        double* kept = evaluated_.data() + lanes * static_cast<int>(b);
        for (int i = 0; i < freedoms; ++i, to += s, kept += s) {
          const int d = integrated[i];
          const Pack evaluated = Pack::load(from + lanes * d);
          const Pack difference = evaluated - Pack::load(at + s * d);
          evaluated.store(kept);
          const Pack change = abs(difference) * Pack(weight[d]);
          largest = max(largest, change);
          total += change;
          difference.store(to);
        }
        for (int k = 0; k < m_; ++k) Pack::load(from + lanes * following[k]).store(at + s * following[k]);
      }
    }
    smallest_pivot_ = -largest_lane(-pivot);
    const double sum = (total[0] + total[1]) + (total[2] + total[3]);
    const bool finite = sum <= std::numeric_limits<double>::max();  // false for NaN too
    return finite ? largest_lane(largest) : std::numeric_limits<double>::infinity();
  }

  int m_;
  const Partition* partition_ = nullptr;
  LaneArray Q_, V_, moved_, found_, evaluated_;
  LaneArray dependent_;     // as Partition writes it, block after block
  LaneArray determinants_;  // of the stages, block after block
  LaneArray per_reference_;
  double smallest_pivot_ = 1.0;
};

}  // namespace raak

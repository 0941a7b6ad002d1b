#include "methods/charts/coordinate_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kinematics/rank/rank_policy.h"
#include "methods/charts/chart.h"

namespace raak {
namespace {

constexpr double good_share = 0.5;               // of the largest determinant
constexpr double singular_configuration = 0.02;  // the same relative to the best choice so far: no other choice helps
constexpr double weak_configuration = 0.1;  // the same where a configuration is looked at because pivots vanish near it
constexpr double clearly_weaker = 0.5;      // than the configurations around it
constexpr double weak_start =
    0.2;  // determinants over the lengths at which a start may be near a singular configuration
constexpr double much_stronger = 3.0;
constexpr double lightest = 1e-2;  // of the heaviest, that a coordinate counts for

}  // namespace

bool CoordinateChoice::is_affordable(const ConstrainedSystem& system) {
  constexpr int most_of_few_freedoms = 500, few_freedoms = 4;
  if (system.coordinates() <= most_coordinates) return true;
  const int freedoms = system.coordinates() - system.position_rows();
  return system.has_dense_matrices() && freedoms <= few_freedoms && system.coordinates() <= most_of_few_freedoms;
}

CoordinateChoice::CoordinateChoice(const ConstrainedSystem& system)
    : system_(system),
      n_(system.coordinates()),
      m_(system.position_rows()),
      chooser_(m_, n_, good_share),
      probe_(m_, n_, good_share),
      G_(Matrix::Zero(m_, n_)),
      M_(Matrix::Zero(n_, n_)),
      mass_diagonal_(Vector::Ones(n_)),
      largest_row_(Vector::Zero(m_)),
      kept_row_(Vector::Zero(m_)),
      restored_q_(n_),
      restored_v_(n_),
      q_(lanes * n_),
      v_(lanes * n_),
      a_(lanes * n_),
      dependent_(lanes * m_ * (2 + std::max(0, n_ - m_))),
      determinants_(lanes * m_),
      terms_(3 * lanes * std::max(0, n_ - m_) * std::max(0, n_ - m_)) {}

bool CoordinateChoice::begin(const State& start) {
  partition_ = nullptr;
  chosen_at_start_ = true;
  best_strength_ = 0.0;
  largest_row_.setZero();
  double here = strength(start.t, start.q, chooser_);
  if (m_ == 0 || m_ > n_) return take(here);
  // A row that vanishes as a whole in a configuration can only be recognised by its length elsewhere.
  const bool vanishing = largest_row_.minCoeff() < weak_start * largest_row_.maxCoeff();
  const bool moves = start.v.cwiseAbs().maxCoeff() > 0.0;
  if (!moves || (here > weak_start && !vanishing)) return take(here);
  const Vector q = strongest_nearby(start);
  here = strength(start.t, start.q, probe_);
  const double there = strength(start.t, q, chooser_);
  chosen_at_start_ = there <= much_stronger * here;
  return chosen_at_start_ ? choose(start) : take(there);
}

Vector CoordinateChoice::strongest_nearby(const State& start) const {
  constexpr double farthest = 0.3;  // of the largest component in its scale; shorter ways follow
  constexpr int ways = 4;
  constexpr int most_corrections = 12;
  Vector best = start.q;
  double strongest = strength(start.t, start.q, probe_);
  const auto size = [&](const auto& x) { return x.cwiseQuotient(system_.coordinate_scales()).cwiseAbs().maxCoeff(); };
  const double speed = size(start.v);
  const double closed = std::max(1e-10 * system_.row_scales().minCoeff(), rounding_of_rows(system_, start.q));
  double time = farthest / speed;
  for (int way = 0; way < ways; ++way, time *= 0.3) {
    for (const double sign : {1.0, -1.0}) {
      Vector q = start.q + sign * time * start.v;
      double residual = std::numeric_limits<double>::infinity();
      for (int i = 0; i < most_corrections && residual > closed; ++i)
        residual = system_.correct_position(start.t + sign * time, q.data());  // drivers go on as well
      const bool stays = size(q - start.q - sign * time * start.v) < 0.3 * time * speed;
      if (!(residual <= closed) || !stays) continue;
      const double found = strength(start.t, q, probe_);
      strongest = std::min(strongest, strength(start.t, best, probe_));  // by what rows are known to be now
      if (found <= 2.0 * strongest) continue;
      strongest = found;
      best = q;
    }
  }
  return best;
}

double CoordinateChoice::strength(double t, const Vector& q, PivotChooser& chooser) const {
  system_.mass(t, q, M_);
  // Beside a heavy body the others must not seem to follow whatever they do: where light links come into line it is
  // they that the motion goes on by.
  const Vector& scales = system_.coordinate_scales();
  mass_diagonal_ = M_.diagonal().cwiseProduct(scales.cwiseAbs2());
  mass_diagonal_ = mass_diagonal_.cwiseMax(lightest * mass_diagonal_.maxCoeff()).cwiseQuotient(scales.cwiseAbs2());
  if (m_ > 0) system_.jacobian(t, q, G_);
  if (m_ > n_ || !chooser.choose(G_, mass_diagonal_)) return 0.0;
  double found = chooser.weakest();
  for (int i = 0; i < m_; ++i) {
    const double length = G_.row(i).norm();
    largest_row_[i] = std::max(largest_row_[i], length);
    found = std::min(found, chooser.weakest() * length / largest_row_[i]);
  }
  return found;
}

double CoordinateChoice::probed_strength(double t, const Vector& q) const {
  kept_row_ = largest_row_;
  const double found = strength(t, q, probe_);
  largest_row_ = kept_row_;
  return found;
}

bool CoordinateChoice::is_singular_configuration(double t, const Vector& q, const State& before,
                                                 const State& after) const {
  const double found = probed_strength(t, q);
  if (!(found < weak_configuration * best_strength_)) return false;
  const auto is_weaker_than = [&](const State& at) { return found < clearly_weaker * probed_strength(at.t, at.q); };
  return is_weaker_than(before) || is_weaker_than(after);
}

bool CoordinateChoice::choose(const State& at) {
  const double found = strength(at.t, at.q, chooser_);
  if (take(found)) return true;
  const bool better = partition_ != nullptr && found >= much_stronger * strength_taken_ * nearest_pivot();
  if (!better || !(found >= RankPolicy::resolved_pivot)) return false;
  use(found);
  return true;
}

// Which determinants are small depends on the order of elimination: all choices may be weak where no row is dependent.
void CoordinateChoice::choose_or_renew(const State& at) {
  const double found = strength(at.t, at.q, chooser_);
  const double kept = strength_taken_ * nearest_pivot();
  if (take(found) || !(std::max(found, kept) >= RankPolicy::resolved_pivot)) return;
  if (found >= much_stronger * kept) return use(found);
  for (std::size_t k = 0; k < taken_.blocks.size(); ++k)
    taken_.blocks[k].reference = determinants_[lanes * static_cast<int>(k)];
  strength_taken_ = kept;
}

bool CoordinateChoice::take(double found) {
  if (!(found >= std::max(RankPolicy::resolved_pivot, singular_configuration * best_strength_))) return false;
  use(found);
  return true;
}

void CoordinateChoice::use(double found) {
  best_strength_ = std::max(best_strength_, found);
  strength_taken_ = found;
  taken_ = chooser_.plan();
  find_partition(true);
  ++choices_;
}

void CoordinateChoice::find_partition(bool chosen) {
  partition_ = chosen ? system_.partition(taken_) : nullptr;
  if (!chosen || partition_ != nullptr) return;
  dense_ = std::make_unique<DensePartition>(system_, taken_);
  partition_ = dense_.get();
}

void CoordinateChoice::relative_pivots(const State& at, std::vector<double>& pivots) const {
  evaluate(at.t, at.q, at.v);
  last_pivots(pivots);
}

void CoordinateChoice::last_pivots(std::vector<double>& pivots) const {
  pivots.resize(plan().blocks.size());
  for (std::size_t k = 0; k < pivots.size(); ++k)
    pivots[k] = determinants_[lanes * static_cast<int>(k)] / plan().blocks[k].reference;
}

void CoordinateChoice::fill_lanes(const Vector& q, const Vector& v) const {
  in_widest_lanes([&]() RAAK_LANES {
    for (int d = 0; d < n_; ++d) {
      Pack(q[d]).store(q_.data() + lanes * d);
      Pack(v[d]).store(v_.data() + lanes * d);
    }
  });
}

void CoordinateChoice::evaluate(double t, const Vector& q, const Vector& v) const {
  const Pack time(t);
  fill_lanes(q, v);
  partition_->evaluate(reinterpret_cast<const double*>(&time), q_.data(), v_.data(),
                       {a_.data(), dependent_.data(), determinants_.data()});
}

double CoordinateChoice::nearest_pivot() const {
  double nearest = 1.0;
  if (m_ == 0 || partition_ == nullptr) return nearest;
  last_pivots(pivots_);
  for (const double pivot : pivots_) nearest = std::min(nearest, std::abs(pivot));
  return nearest;
}

// Newton steps until the last but one no longer counts.
bool CoordinateChoice::try_restore(double t, Vector& q, Vector& v) const {
  constexpr double small = 1e-8;    // of its scale + |q|: the next Newton step is below rounding
  constexpr double farthest = 0.1;  // of its scale + |q|: beyond it lies another branch
  constexpr int most = 10;
  if (m_ == 0) return true;
  restored_q_ = q;
  restored_v_ = v;
  double size = 1.0;
  for (int iteration = 0; iteration < most && std::isfinite(size); ++iteration) {
    const double before = size;
    evaluate(t, restored_q_, restored_v_);
    size = 0.0;
    double way = 0.0;
    for (int k = 0; k < m_; ++k) {
      const int d = partition_->dependent()[static_cast<std::size_t>(k)];
      const double moved = dependent_[lanes * k];
      const double scale = system_.coordinate_scales()[d];
      size = std::max(size, std::abs(moved - restored_q_[d]) / (scale + std::abs(moved)));
      way = std::max(way, std::abs(moved - q[d]) / (scale + std::abs(q[d])));
      restored_q_[d] = moved;
      restored_v_[d] = dependent_[lanes * (m_ + k)];
    }
    // Where these coordinates do not determine the configuration; std::max does not see what is not a number.
    if (!restored_q_.allFinite() || !restored_v_.allFinite()) break;
    if (!(way < farthest)) break;
    if (before < small && size < small) {
      q = restored_q_;
      v = restored_v_;
      return true;
    }
  }
  evaluate(t, q, v);  // the configuration last looked at is the one that stays
  return false;
}

void CoordinateChoice::draw_near(double t, Vector& q, Vector& v) const {
  if (m_ == 0) return;
  // The rates of the first step are those of the configuration as it was: kept, they would carry its error on, and over
  // many turns it would grow.
  for (int step = 0; step < 2; ++step) {
    evaluate(t, q, v);
    for (int k = 0; k < m_; ++k) {
      const int d = partition_->dependent()[static_cast<std::size_t>(k)];
      q[d] = dependent_[lanes * k];
      v[d] = dependent_[lanes * (m_ + k)];
    }
  }
}

void CoordinateChoice::linearize(double t, const Vector& q, const Vector& v, Matrix& M, Matrix& D, Matrix& K) const {
  const Pack time(t);
  fill_lanes(q, v);
  partition_->linearise(reinterpret_cast<const double*>(&time), q_.data(), v_.data(), terms_.data());
  const double* from = terms_.data();
  for (Matrix* to : {&M, &D, &K})
    for (int i = 0; i < n_ - m_; ++i)
      for (int j = 0; j < n_ - m_; ++j, from += lanes) (*to)(i, j) = *from;
}

}  // namespace raak

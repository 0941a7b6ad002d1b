#include "methods/coordinate_choice.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace raak {
namespace {

constexpr double good_share = 0.5;       // of the largest determinant
constexpr double dependent_rows = 1e-9;  // determinants over the lengths of their rows at which a start is refused
constexpr double singular_pose = 0.02;   // the same relative to the best choice so far: no other choice helps

}  // namespace

CoordinateChoice::CoordinateChoice(const ConstrainedSystem& system)
    : system_(system),
      n_(system.coordinates()),
      m_(system.position_rows()),
      chooser_(m_, n_, good_share),
      G_(Matrix::Zero(m_, n_)),
      M_(Matrix::Zero(n_, n_)),
      mass_diagonal_(Vector::Ones(n_)),
      largest_row_(Vector::Zero(m_)),
      q_(lanes * n_),
      v_(lanes * n_),
      a_(lanes * n_),
      dependent_(lanes * m_ * (2 + std::max(0, n_ - m_))),
      determinants_(lanes * m_),
      terms_(3 * lanes * std::max(0, n_ - m_) * std::max(0, n_ - m_)) {}

bool CoordinateChoice::begin(const State& start) {
  partition_ = nullptr;
  best_strength_ = 0.0;
  largest_row_.setZero();
  return choose(start);
}

bool CoordinateChoice::choose(const State& at) {
  system_.mass(at.t, at.q, M_);
  mass_diagonal_ = M_.diagonal();
  if (m_ > 0) system_.jacobian(at.t, at.q, G_);
  if (m_ > n_ || !chooser_.choose(G_, mass_diagonal_)) return false;
  double strength = chooser_.weakest();
  for (int i = 0; i < m_; ++i) {
    const double length = G_.row(i).norm();
    largest_row_[i] = std::max(largest_row_[i], length);
    strength = std::min(strength, chooser_.weakest() * length / largest_row_[i]);
  }
  if (strength < std::max(dependent_rows, singular_pose * best_strength_)) return false;
  best_strength_ = std::max(best_strength_, strength);
  partition_ = system_.partition(chooser_.plan());
  if (partition_ == nullptr) {
    dense_ = std::make_unique<DensePartition>(system_, chooser_.plan());
    partition_ = dense_.get();
  }
  ++choices_;
  return true;
}

void CoordinateChoice::fill_lanes(const Vector& q, const Vector& v) const {
  for (int d = 0; d < n_; ++d) {
    Pack(q[d]).store(q_.data() + lanes * d);
    Pack(v[d]).store(v_.data() + lanes * d);
  }
}

// Newton steps until the last but one no longer counts.
void CoordinateChoice::restore(double t, Vector& q, Vector& v) const {
  constexpr double small = 1e-8;  // of 1 + |q|: the next Newton step is below rounding
  constexpr int most = 10;
  if (m_ == 0) return;
  const Pack time(t);
  double size = 1.0;
  for (int iteration = 0; iteration < most && std::isfinite(size); ++iteration) {
    const double before = size;
    fill_lanes(q, v);
    partition_->evaluate(reinterpret_cast<const double*>(&time), q_.data(), v_.data(),
                         {a_.data(), dependent_.data(), determinants_.data()});
    size = 0.0;
    for (int k = 0; k < m_; ++k) {
      const int d = partition_->dependent()[static_cast<std::size_t>(k)];
      const double moved = dependent_[lanes * k];
      size = std::max(size, std::abs(moved - q[d]) / (1.0 + std::abs(q[d])));
      q[d] = moved;
      v[d] = dependent_[lanes * (m_ + k)];
    }
    if (before < small && size < small) return;
  }
  throw Error(ErrorKind::computation,
              "the end of a step could not be brought back to the constraints: the pose is nearly singular");
}

void CoordinateChoice::linearise(double t, const Vector& q, const Vector& v, Matrix& M, Matrix& D, Matrix& K) const {
  const Pack time(t);
  fill_lanes(q, v);
  partition_->linearise(reinterpret_cast<const double*>(&time), q_.data(), v_.data(), terms_.data());
  const double* from = terms_.data();
  for (Matrix* to : {&M, &D, &K})
    for (int i = 0; i < n_ - m_; ++i)
      for (int j = 0; j < n_ - m_; ++j, from += lanes) (*to)(i, j) = *from;
}

}  // namespace raak

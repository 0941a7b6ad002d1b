#include "methods/collocation/stage_matrices.h"

#include <algorithm>
#include <cmath>

namespace raak {
namespace {

constexpr int many_slow_attempts = 8;      // slow attempts
constexpr double longer_than_tried = 1.5;  // times the step: the trial pays

}  // namespace

StageMatrices::StageMatrices(const ConstrainedSystem& system, int stages, bool usable)
    : system_(system), n_(system.coordinates()), m_(system.rows()) {
  if (!usable) return;
  M_ = Matrix::Zero(n_, n_);
  G_ = Matrix::Zero(m_, n_);
  J_ = middle_ = Matrix::Zero(n_ + m_, n_ + m_);
  x_ = Vector::Zero(n_ + m_);
  for (int i = 0; i < stages; ++i) lu_.emplace_back(n_ + m_);
}

void StageMatrices::note(double h, bool slow) {
  slow_ = std::max(0, slow_ + (slow ? 1 : -1));
  if (use_ == Use::waits && slow_ >= many_slow_attempts) {
    use_ = Use::tried;
    tried_ = std::abs(h);
    slow_ = 0;
  } else if (use_ == Use::tried) {
    if (std::abs(h) > longer_than_tried * tried_) use_ = Use::kept;
    else if (slow_ >= many_slow_attempts) use_ = Use::useless;
  }
}

void StageMatrices::set_middle(const Matrix& M, const Matrix& G) {
  middle_.topLeftCorner(n_, n_) = M;
  middle_.topRightCorner(n_, m_) = G.transpose();
  middle_.bottomLeftCorner(m_, n_) = G;
}

void StageMatrices::set_stage(int i, double t, const Vector& q) {
  system_.mass(t, q, M_);
  J_.topLeftCorner(n_, n_) = M_;
  if (m_ > 0) {
    system_.jacobian(t, q, G_);
    J_.topRightCorner(n_, m_) = G_.transpose();
    J_.bottomLeftCorner(m_, n_) = G_;
  }
  lu_[static_cast<std::size_t>(i)].compute(J_);
}

void StageMatrices::carry_to_middle(int i, double of_positions, double of_velocities, Eigen::Ref<Vector> r) {
  const Eigen::Index positions = system_.position_rows();
  auto head = r.head(n_ + m_);
  head.segment(n_, positions) /= of_positions;
  head.tail(m_ - positions) /= of_velocities;
  x_ = lu_[static_cast<std::size_t>(i)].solve(head);
  if (x_.allFinite()) head.noalias() = middle_ * x_;
  head.segment(n_, positions) *= of_positions;
  head.tail(m_ - positions) *= of_velocities;
}

}  // namespace raak

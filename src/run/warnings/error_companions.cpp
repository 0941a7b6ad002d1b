// The companions of error_growth.h over one step.
#include <algorithm>
#include <cmath>

#include "kinematics/rank/rank_policy.h"
#include "methods/runge_kutta/dop853_table.h"
#include "run/warnings/error_growth.h"

namespace raak {

Vector ErrorGrowth::half_between(const double* values) const {
  const Eigen::Map<const Companions> all(values, lanes, start_q_.size());
  return 0.5 * (all.row(1) - all.row(2)).transpose();
}

bool ErrorGrowth::is_smooth(double t) const {
  if (system_.switches() == 0) return true;
  const Eigen::Index n = start_q_.size();
  const Eigen::Map<const Companions> q(stage_q_.data(), lanes, n), v(stage_v_.data(), lanes, n);
  Vector one(system_.switches()), other(system_.switches());
  system_.evaluate_switches(t, q.row(1), v.row(1), one);
  system_.evaluate_switches(t, q.row(2), v.row(2), other);
  return (one.array() * other.array() >= 0.0).all();
}

// Across a jump of a force, and where the constraints are singular, there is no derivative: all move as the motion
// does.
void ErrorGrowth::accelerate_companions(double t) {
  alignas(8 * lanes) double times[lanes], pivots[lanes];
  std::fill_n(times, lanes, t);
  work_ += lanes;
  system_.accelerate_lanes(times, stage_q_.data(), stage_v_.data(), a_.data(), nullptr, pivots);
  if (*std::min_element(pivots, pivots + lanes) > RankPolicy::zero && is_smooth(t)) return;
  Eigen::Map<Companions> a(a_.data(), lanes, start_q_.size());
  a.row(1) = a.row(2) = a.row(0);
}

// One step of the method; returns the error of w as the method estimates it, relative to w.
double ErrorGrowth::advance(double t, double h, double spread) {
  const Eigen::Index size_of = lanes * start_q_.size();
  Eigen::Map<Vector> q(q_.data(), size_of), v(v_.data(), size_of);
  Eigen::Map<Vector> stage_q(stage_q_.data(), size_of), stage_v(stage_v_.data(), size_of);
  const auto moved = [&](int i, const auto& from, const Matrix& k, auto& to) {
    to.noalias() = k.leftCols(i) * Eigen::Map<const Vector>(Dop853Table::a[static_cast<std::size_t>(i)].data(), i);
    to = from + h * to;
  };
  for (int i = 0; i < Dop853Table::end; ++i) {
    moved(i, q, kq_, stage_q);
    moved(i, v, kv_, stage_v);
    accelerate_companions(t + Dop853Table::c[static_cast<std::size_t>(i)] * h);
    kq_.col(i) = stage_v;
    kv_.col(i) = Eigen::Map<const Vector>(a_.data(), size_of);
  }
  moved(Dop853Table::end, q, kq_, stage_q);
  moved(Dop853Table::end, v, kv_, stage_v);
  q = stage_q;
  v = stage_v;
  return std::abs(h) / spread * estimated_error() / size(w_);
}

// Of the last part, by those of orders 5 and 3: Hairer, Norsett and Wanner I, section II.10.
double ErrorGrowth::estimated_error() const {
  const auto error_of = [&](const Vector& weights) {
    const Vector q = kq_ * weights, v = kv_ * weights;
    return size(Tangent{half_between(q.data()), half_between(v.data())});
  };
  Vector third = Eigen::Map<const Vector>(Dop853Table::a[Dop853Table::end].data(), Dop853Table::end);
  third[0] -= Dop853Table::bhat1;
  third[8] -= Dop853Table::bhat9;
  third[11] -= Dop853Table::bhat12;
  const double five = error_of(Eigen::Map<const Vector>(Dop853Table::error.data(), Dop853Table::end)),
               three = error_of(third);
  return five > 0.0 ? five * five / std::hypot(five, 0.1 * three) : 0.0;
}

double ErrorGrowth::carry(double t0, double h, int parts, double spread) {
  const auto set_out = [&](const Vector& motion, const Vector& w, LaneArray& companions) {
    Eigen::Map<Companions> all(companions.data(), lanes, motion.size());
    all.rowwise() = motion.transpose();
    all.row(1) += spread * w.transpose();
    all.row(2) -= spread * w.transpose();
  };
  set_out(now_.q, w_.q, q_);
  set_out(now_.v, w_.v, v_);
  double error = 0.0;
  for (int i = 0; i < parts; ++i) {
    const double of_part = advance(t0 + h * i / parts, h / parts, spread);
    if (!std::isfinite(of_part)) return of_part;
    error = std::max(error, of_part);
  }
  return error;
}

}  // namespace raak

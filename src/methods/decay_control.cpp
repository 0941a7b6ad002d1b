#include "methods/decay_control.h"

#include <algorithm>
#include <cmath>

namespace raak {
namespace {

constexpr double smallest_share = 1e-2;  // of the largest component's scale
constexpr double rounding_share = 1e-8;
constexpr double roundoff = 2e-15;
constexpr double position_noise = 1e3 * 2.2e-16;  // relative: no velocity is judged finer than this over the step
constexpr double usual_way = 6.0;       // a run that goes this many times its own size is what the mapping is made for
constexpr double long_way = 40.0;       // of its own size: errors of the speed carry on
constexpr double finest_share = 3e-14;  // that the length of the way asks of a step: rounding adds up over more steps
constexpr double share_of_atol = 0.01;  // no velocity is judged finer than this part of atol
constexpr double safety = 0.92;
constexpr double noticeable = 0.02;  // relative change of the tolerance that is worth a new mapping

}  // namespace

DecayControl::DecayControl(const ConstrainedSystem& system, const Tolerances& tolerances, const DecayMapping& mapping)
    : system_(system),
      tolerances_(tolerances),
      mapping_(mapping),
      n_(system.coordinates()),
      root_mass_(Vector::Ones(n_)),
      speed_(Vector::Zero(n_)),
      trial_speed_(Vector::Zero(n_)),
      scaled_speed_(Vector::Constant(n_, -1.0)),
      per_speed_(Vector::Zero(n_)),
      weight_(n_),
      share_(static_cast<std::size_t>(n_), 1.0) {}

void DecayControl::use(const DecayMapping& mapping) {
  mapping_ = mapping;
  tolerance_ = 0.0;
}

void DecayControl::integrates(const int* components, int count) {
  // Where all is driven nothing is integrated, and every component has its say.
  std::fill(share_.begin(), share_.end(), count > 0 ? 0.0 : 1.0);
  for (int i = 0; i < count; ++i) share_[static_cast<std::size_t>(components[i])] = 1.0;
  scaled_speed_.setConstant(-1.0);
}

void DecayControl::begin(const State& start) {
  Vector diagonal(n_);
  system_.mass_diagonal(start.t, start.q, diagonal);
  for (int d = 0; d < n_; ++d) root_mass_[d] = std::sqrt(std::max(std::abs(diagonal[d]), 1e-300));
  speed_.setZero();
  scaled_speed_.setConstant(-1.0);
  largest_q_ = largest_v_ = tolerance_ = served_ = 0.0;
}

void DecayControl::prepare(double h, const Vector& q, const Vector& v, const double* series, int width) {
  const double length = std::abs(h);
  bool as_before = true;
  double largest_q = largest_q_;
  double largest_v = largest_v_;
  for (int d = 0; d < n_; ++d) {
    const double fastest = std::max(std::abs(v[d]), length * std::abs(series[width * d]));
    const double farthest = std::max(std::abs(q[d]), length * std::abs(v[d]));
    const double speed = std::max(speed_[d], root_mass_[d] * fastest);
    largest_v = std::max(largest_v, fastest);
    largest_q = std::max(largest_q, farthest);
    as_before = as_before && speed == scaled_speed_[d];
    trial_speed_[d] = speed;
  }
  trial_v_ = largest_v;
  trial_q_ = std::max(largest_q, length * largest_v);
  if (!as_before) scale_by(trial_speed_);
  const double finest = length / std::max(position_noise * trial_q_ / length, share_of_atol * tolerances_.v.atol);
  for (int d = 0; d < n_; ++d) weight_[d] = std::min(length * per_speed_[d], finest);
  const auto relative = [](const Tolerance& t, double size) { return t.rtol + t.atol / std::max(size, 1e-300); };
  // What each step adds to the error is a share of the way it goes, and the ways add up. On a long way so do the errors
  // of the speed, which every later step carries on.
  const double ways = span_ * trial_v_ / std::max(trial_q_, 1e-300);
  double share = ways > usual_way ? usual_way / ways : 1.0;
  if (ways > long_way) share *= long_way / ways;
  const double wanted = std::min(relative(tolerances_.q, trial_q_), relative(tolerances_.v, trial_v_));
  map(std::max(share * wanted, std::min(wanted, finest_share)));
}

void DecayControl::scale_by(const Vector& speed) {
  double largest = 0.0;
  for (int d = 0; d < n_; ++d) largest = std::max(largest, share_[static_cast<std::size_t>(d)] * speed[d]);
  // What is integrated may be at rest while the rest is driven: then rounding errors of the rest set the least scale.
  const double floor = std::max({smallest_share * largest, rounding_share * speed.maxCoeff(), 1e-300});
  for (int d = 0; d < n_; ++d) per_speed_[d] = root_mass_[d] / std::max(speed[d], floor);
  scaled_speed_ = speed;
}

void DecayControl::commit() {
  speed_.swap(trial_speed_);
  largest_q_ = trial_q_;
  largest_v_ = trial_v_;
  served_ = trial_served_;
}

bool DecayControl::is_near(double h, const Vector& q, const Vector& v, const Vector& moved_q,
                           const Vector& moved_v) const {
  constexpr double most = 0.05;  // of the scale of the velocities, and of the way it goes in the step
  const double length = std::abs(h);
  for (int d = 0; d < n_; ++d) {
    const double off = std::max(std::abs(moved_q[d] - q[d]) / length, std::abs(moved_v[d] - v[d]));
    if (!(off * weight_[d] <= most * length)) return false;
  }
  return true;
}

void DecayControl::map(double tolerance) {
  const double wanted = std::min(tolerance, 0.1);
  if (std::abs(wanted - tolerance_) < noticeable * tolerance_) return;
  tolerance_ = wanted;
  const double digits = -std::log10(wanted);
  const auto power = [&](const DecayMapping::Rule& m) {
    return std::pow(10.0, -std::max(m.least, m.base + m.slope * digits));
  };
  decay4_ = power(mapping_.four);
  decay8_ = power(mapping_.eight);
  const auto change = [&](const DecayMapping::Rule& m, double decay) {
    return std::max(roundoff, std::min(m.change * wanted, m.share * decay));
  };
  change4_ = change(mapping_.four, decay4_);
  change8_ = change(mapping_.eight, decay8_);
}

double DecayControl::factor(double found, int stages) const {
  double root = std::sqrt(std::sqrt(decay(stages) / (found + 1e-300)));
  if (stages == 4) return root;
  return std::sqrt(root);  // of eight stages
}

double DecayControl::next(double h, double factor) {
  trial_served_ = std::abs(h) * factor;
  const double trend = trial_served_ < served_ ? std::sqrt(std::sqrt(trial_served_ / served_)) : 1.0;
  return safety * factor * trend;
}

double DecayControl::first_step(const State& start, double until, int stages) {
  const double span = until - start.t;
  span_ = std::abs(span);
  double speed = 0.0;
  double acceleration = 0.0;
  double size = 0.0;
  for (int d = 0; d < n_; ++d) {
    speed = std::max(speed, root_mass_[d] * std::abs(start.v[d]));
    acceleration = std::max(acceleration, root_mass_[d] * std::abs(start.a[d]));
    size = std::max(size, root_mass_[d] * std::max(std::abs(start.q[d]), 1e-3));
  }
  // The time in which the velocity, or from rest the position, changes by its own size.
  double scale = std::abs(span);
  if (acceleration > 0.0) {
    scale = std::min(scale, std::sqrt(size / acceleration));
    if (speed > 0.0) scale = std::min(scale, std::max(speed / acceleration, 1e-2 * scale));
  }
  if (speed > 0.0) scale = std::min(scale, 10.0 * size / speed);
  return std::copysign(std::min(std::abs(span), 0.1 * scale), span) * (stages > lanes ? 1.0 : 0.5);
}

bool asks_for_less_than(double error, const Tolerances& tolerances) {
  return std::max(tolerances.q.rtol + tolerances.q.atol, tolerances.v.rtol + tolerances.v.atol) < error;
}

}  // namespace raak

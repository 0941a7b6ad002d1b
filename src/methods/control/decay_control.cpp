#include "methods/control/decay_control.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "system/relative_coordinates.h"

namespace raak {
namespace {

constexpr double smallest_share = 1e-2;  // of the largest component's scale
constexpr double rounding_share = 1e-8;
constexpr double roundoff = 2e-15;
constexpr double position_noise = 1e3 * 2.2e-16;  // relative: no velocity is judged finer than this over the step
constexpr double design_path = 5.5;    // a run that goes this many times its own size is what the mapping is made for
constexpr double design_turns = 40.0;  // as many times may a coordinate go the size that its own tolerance is made for
constexpr double least_share_of_sweeps =
    0.05;  // of what sweeps may leave on such a path: below it they cost more than they save
constexpr double finest_share = 1e-16;  // that the length of the way asks of a step: rounding adds up over more steps
constexpr double share_of_atol = 0.01;  // no velocity is judged finer than this part of atol
constexpr double safety = 0.92;
constexpr double slow_fall = 10.0;       // times the error wanted may a step of eight stages have by its own estimate
constexpr double rounding_fall = 3e-11;  // errors below it are rounding errors near singular configurations
constexpr double noticeable = 0.02;      // relative change of the tolerance that is worth a new mapping

RAAK_INLINE double larger(double a, double b) {
  return a > b ? a : b;
}
RAAK_INLINE double smaller(double a, double b) {
  return a < b ? a : b;
}
RAAK_INLINE Pack larger(const Pack& a, const Pack& b) {
  return max(a, b);
}
RAAK_INLINE Pack smaller(const Pack& a, const Pack& b) {
  return min(a, b);
}

// One component, or four that follow each other.
template <class T>
struct Components {
  int first;
  RAAK_INLINE T load(const double* from) const {
    if constexpr (std::is_same_v<T, Pack>) return Pack::load(from + first);
    else return from[first];
  }
  RAAK_INLINE void store(const T& x, double* to) const {
    if constexpr (std::is_same_v<T, Pack>) x.store(to + first);
    else to[first] = x;
  }
  // The first of each `width` entries.
  RAAK_INLINE T gather(const double* from, int width) const {
    from += width * first;
    if constexpr (std::is_same_v<T, Pack>)
      return Pack(Pack::Native{from[0], from[width], from[2 * width], from[3 * width]});
    else return from[0];
  }
};

// The last four overlap those before them: f must find the same for a component that it sees twice.
template <class F>
RAAK_INLINE void for_components(int n, const F& f) {
  if (n < lanes) {
    for (int d = 0; d < n; ++d) f(Components<double>{d});
    return;
  }
  for (int d = 0; d + lanes < n; d += lanes) f(Components<Pack>{d});
  f(Components<Pack>{n - lanes});
}

DecayMapping judged(DecayMapping mapping, const Strictness& strictness) {
  for (DecayMapping::Rule* rule : {&mapping.four, &mapping.eight}) {
    rule->least += std::log10(strictness.of_series);
    rule->base += std::log10(strictness.of_series);
    rule->change /= strictness.of_iterations;
  }
  return mapping;
}

double tightest(const Tolerance& tolerance, const Vector& per_size) {
  double least = std::numeric_limits<double>::infinity();
  for (Eigen::Index d = 0; d < per_size.size(); ++d) least = std::min(least, tolerance.absolute(d) * per_size[d]);
  return std::isfinite(least) ? least : tolerance.atol;
}

}  // namespace

DecayControl::DecayControl(const ConstrainedSystem& system, const Tolerances& tolerances, const DecayMapping& mapping)
    : system_(system),
      tolerances_(tolerances),
      mapping_(judged(mapping, strictness_of(system))),
      n_(system.coordinates()),
      per_size_(n_),
      atol_of_q_(n_),
      root_mass_(Vector::Ones(n_)),
      speed_(Vector::Zero(n_)),
      trial_speed_(Vector::Zero(n_)),
      scaled_speed_(Vector::Constant(n_, -1.0)),
      per_speed_(Vector::Zero(n_)),
      weight_(n_),
      share_(static_cast<std::size_t>(n_), 1.0) {
  for (int d = 0; d < n_; ++d) atol_of_q_[d] = tolerances_.q.absolute(d);
  take_scales();
}

// They follow the size of a mechanism, which its live numbers may change between two runs.
void DecayControl::take_scales() {
  per_size_ = system_.coordinate_scales().cwiseInverse();
  atol_of_sizes_q_ = tightest(tolerances_.q, per_size_);
  atol_of_sizes_v_ = tightest(tolerances_.v, per_size_);
}

void DecayControl::use(const DecayMapping& mapping) {
  mapping_ = judged(mapping, strictness_of(system_));
  four_ = eight_ = {};
}

void DecayControl::integrates(const int* components, int count) {
  // Where all is driven nothing is integrated, and every component has its say.
  std::fill(share_.begin(), share_.end(), count > 0 ? 0.0 : 1.0);
  for (int i = 0; i < count; ++i) share_[static_cast<std::size_t>(components[i])] = 1.0;
  scaled_speed_.setConstant(-1.0);
}

void DecayControl::begin(const State& start) {
  take_scales();
  Vector diagonal(n_);
  system_.mass_diagonal(start.t, start.q, diagonal);
  for (int d = 0; d < n_; ++d) root_mass_[d] = std::sqrt(std::max(std::abs(diagonal[d]), 1e-300));
  speed_.setZero();
  scaled_speed_.setConstant(-1.0);
  largest_q_ = largest_v_ = largest_a_ = delay_rate_ = wanted_ = sufficient_ = 0.0;
  four_ = eight_ = {};
}

void DecayControl::carry_on(const DecayControl& before) {
  speed_ = speed_.cwiseMax(before.speed_);
  scaled_speed_.setConstant(-1.0);
  largest_q_ = std::max(largest_q_, before.largest_q_);
  largest_v_ = std::max(largest_v_, before.largest_v_);
  largest_a_ = std::max(largest_a_, before.largest_a_);
  delay_rate_ = std::max(delay_rate_, before.delay_rate_);
  span_ = std::max(span_, before.span_);  // a part of a run bears no more errors than the whole
}

void DecayControl::prepare(double h, const Vector& q, const Vector& v, const double* series, int width) {
  const double length = std::abs(h);
  in_widest_lanes([&]() RAAK_LANES {
    Pack most_q(largest_q_);
    Pack most_v(largest_v_);
    Pack most_a(largest_a_);
    Pack changed(0.0);
    Pack largest_delay_rate(delay_rate_);
    const double rtol = tolerances_.q.rtol;
    for_components(n_, [&]<class T>(Components<T> d) RAAK_LANES {
      const T speed_then = d.load(v.data());
      const T acceleration = abs(d.gather(series, width));
      const T fastest = larger(abs(speed_then), T(length) * acceleration);
      const T farthest = larger(abs(d.load(q.data())), T(length) * abs(speed_then));
      const T speed = larger(d.load(speed_.data()), d.load(root_mass_.data()) * fastest);
      d.store(speed, trial_speed_.data());
      const T per_size = d.load(per_size_.data());
      most_v = max(most_v, Pack(per_size * fastest));
      most_q = max(most_q, Pack(per_size * farthest));
      most_a = max(most_a, Pack(per_size * acceleration));
      largest_delay_rate =
          max(largest_delay_rate, Pack(abs(speed_then) / (d.load(atol_of_q_.data()) + T(rtol) * farthest + T(1e-300))));
      changed = max(changed, Pack(abs(speed - d.load(scaled_speed_.data()))));
    });
    trial_v_ = largest_lane(most_v);
    trial_delay_rate_ = largest_lane(largest_delay_rate);
    trial_a_ = largest_lane(most_a);
    trial_q_ = std::max(largest_lane(most_q), length * trial_v_);
    if (largest_lane(changed) != 0.0) scale_by_trial_speed();
    const double finest = length / std::max(position_noise * trial_q_ / length, share_of_atol * atol_of_sizes_v_);
    for_components(n_, [&]<class T>(Components<T> d) RAAK_LANES {
      d.store(smaller(T(length) * d.load(per_speed_.data()), T(finest) * d.load(per_size_.data())), weight_.data());
    });
  });
  const auto relative = [](double rtol, double atol, double size) { return rtol + atol / std::max(size, 1e-300); };
  // What each step adds to the error is a share of the way it goes, and the ways add up. So do the errors of the speed,
  // which every later step carries on. The size of a motion is how far it has been, or how far it goes before it turns.
  const double turn = trial_v_ * trial_v_ / std::max(trial_a_, 1e-300);
  const double ways = span_ * trial_v_ / std::max({trial_q_, turn, 1e-300});
  const double asked = std::min(relative(tolerances_.q.rtol, atol_of_sizes_q_, trial_q_),
                                relative(tolerances_.v.rtol, atol_of_sizes_v_, trial_v_));
  // A crank that turns on and on has no such size. What follows it stays small, and is late by as much as the crank.
  const double turns = span_ * asked * trial_delay_rate_;
  const double excess = std::max({ways / design_path, turns / design_turns, 1.0});
  const double share = 1.0 / (excess * excess);
  wanted_ = std::min(std::max(share * asked, std::min(asked, finest_share)), 0.1);
  // On long ways it is what the sweeps leave that adds up: with decay alone held tighter the digits stay as they are.
  iteration_share_ = std::max(share, least_share_of_sweeps);
}

RAAK_INLINE void DecayControl::scale_by_trial_speed() {
  Pack integrated(0.0);
  Pack all(0.0);
  for_components(n_, [&]<class T>(Components<T> d) RAAK_LANES {
    const T speed = d.load(trial_speed_.data());
    integrated = max(integrated, Pack(d.load(share_.data()) * speed));
    all = max(all, Pack(speed));
  });
  // What is integrated may be at rest while the rest is driven, but for rounding errors of the rest, or may never move,
  // as the centres of angles that count turns: then it has no say.
  const double fastest = largest_lane(all), moving = largest_lane(integrated), rounding = rounding_share * fastest;
  const double floor = std::max({smallest_share * (moving > rounding ? moving : fastest), rounding, 1e-300});
  for_components(n_, [&]<class T>(Components<T> d) RAAK_LANES {
    const T speed = d.load(trial_speed_.data());
    d.store(d.load(root_mass_.data()) / larger(speed, T(floor)), per_speed_.data());
    d.store(speed, scaled_speed_.data());
  });
}

void DecayControl::commit() {
  speed_.swap(trial_speed_);
  largest_q_ = trial_q_;
  largest_v_ = trial_v_;
  largest_a_ = trial_a_;
  delay_rate_ = trial_delay_rate_;
  sufficient_ = trial_sufficient_;
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

const DecayControl::Limits& DecayControl::limits(int stages) const {
  const DecayMapping::Rule& rule = stages <= lanes ? mapping_.four : mapping_.eight;
  Limits& of = stages <= lanes ? four_ : eight_;
  if (std::abs(wanted_ - of.tolerance) < noticeable * of.tolerance &&
      std::abs(iteration_share_ - of.iteration_share) < noticeable * of.iteration_share)
    return of;
  of.tolerance = wanted_;
  of.iteration_share = iteration_share_;
  of.decay = std::pow(10.0, -std::max(rule.least, rule.base - rule.slope * std::log10(wanted_)));
  of.change = std::max(roundoff, std::min(rule.change * iteration_share_ * wanted_, rule.share * of.decay));
  return of;
}

double DecayControl::factor_for_last(double coefficient, int stages) const {
  const double root = std::sqrt(std::sqrt(decay(stages) / (coefficient + 1e-300)));
  return stages == lanes ? root : std::sqrt(root);
}

// The quadrature of a step has twice the order of its series: where coefficients fall by a factor r from two to the
// next two, its error is that of the last two times r^(s/2). The mapping takes for granted that they fall fast. Those
// of a small force that changes quickly, as of a spring whose ends nearly meet, are small but fall slowly.
double DecayControl::factor(const SeriesEnd& end, int stages, double care) const {
  const double by_decay = factor_for_last(care * end.last, stages);
  if (stages == lanes) return by_decay;  // of four coefficients the first is the mean: they do not show how they fall
  const double fall = std::min(1.0, end.last_two / (end.two_before + 1e-300)), twice = fall * fall;
  const double error = end.last_two * twice * twice;
  const double allowed = std::max(slow_fall * wanted_, rounding_fall);
  if (error <= allowed) return by_decay;
  return std::min(by_decay, std::pow(allowed / error, 1.0 / stages));
}

double DecayControl::next(double h, double factor) {
  trial_sufficient_ = std::abs(h) * factor;
  const double trend = trial_sufficient_ < sufficient_ ? std::sqrt(trial_sufficient_ / sufficient_) : 1.0;
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
    size = std::max(size, root_mass_[d] * std::max(std::abs(start.q[d]), 1e-3 / per_size_[d]));
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

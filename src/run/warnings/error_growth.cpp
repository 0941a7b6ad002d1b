#include "run/warnings/error_growth.h"

#include <algorithm>
#include <cmath>

#include "methods/runge_kutta/dop853_table.h"

namespace raak {
namespace {

using Table = Dop853Table;
constexpr int most_parts = 8;  // of a step; modes that need more are stiff and die out, or the motion is uniform
// Error of w in a part, relative to w: e may make a growth of sqrt(e) of itself, which is the doubt. Those of a run add
// up to less than 0.5, most of them in its first steps: a short run has cheap companions. Ten times e is let pass.
constexpr double least_doubt = 1e-4, first_doubt = 0.05, let_pass = 10.0;
constexpr double part_more = 0.2;  // parts may be as much longer than chosen, for one part less
constexpr double hopeless = 0.1;   // the same, beyond which w says nothing
constexpr std::size_t most_points = 4096;
constexpr double at_rest = 1e-6;  // of the size of the system: what moves less has no extent to compare errors with

// Numbers of all signs without a pattern, the same in every run.
Vector scattered(Eigen::Index n, double phase) {
  Vector x(n);
  for (Eigen::Index i = 0; i < n; ++i) x[i] = std::sin(12.9898 * static_cast<double>(i + 1) + phase);
  return x;
}

}  // namespace

ErrorGrowth::ErrorGrowth(const ConstrainedSystem& system, const State& start)
    : system_(system), start_q_(start.q), now_(start), uniform_(system), projection_(system) {
  const Eigen::Index n = start.q.size();
  Vector mass(n);
  system.mass_diagonal(start.t, start.q, mass);
  root_mass_ = mass.cwiseMax(1e-300).cwiseSqrt();
  scale_ = size(system.coordinate_scales());
  for (LaneArray* each : {&q_, &v_, &a_, &stage_q_, &stage_v_}) *each = LaneArray(static_cast<int>(lanes * n));
  kq_ = kv_ = Matrix::Zero(lanes * n, Table::end);
  speed_ = std::max(size(start.v) / scale_, std::sqrt(size(start.a) / scale_));
  if (!(speed_ > 0.0)) speed_ = 1.0;
  w_.q = scattered(n, 0.3).cwiseQuotient(root_mass_);
  w_.v = speed_ * scattered(n, 1.7).cwiseQuotient(root_mass_);
  project(start);
  normalize();
  log_scale_ = 0.0;
  way_.v = size(start.v);
  note(start);
}

double ErrorGrowth::spread_at(const State& at) const {
  constexpr double little = 1e-6;
  const Vector& scales = system_.coordinate_scales();
  const auto part_of = [](const Vector& w, const Vector& whole) {
    return w.cwiseAbs().maxCoeff() / (whole.cwiseAbs().maxCoeff() + 1e-300);
  };
  const Vector q = scales + at.q.cwiseAbs(), v = speed_ * scales + at.v.cwiseAbs();
  return little / std::max({part_of(w_.q, q), part_of(w_.v, v), 1e-300});
}

// Off the constraints an error does not stay small for long, and a method brings it back.
void ErrorGrowth::project(const State& at) {
  Tangent projected = w_;
  projection_.project(at, spread_at(at), projected.q, projected.v);
  const double after = size(projected);
  if (std::isfinite(after) && after <= 2.0 * size(w_)) w_ = projected;
}

void ErrorGrowth::normalize() {
  const double length = size(w_);
  if (!(length > 1e-150)) {  // nothing is free to move
    w_.q.setZero();
    w_.v.setZero();
    return;
  }
  w_.q /= length;
  w_.v /= length;
  log_scale_ += std::log(length);
}

void ErrorGrowth::note(const State& at) {
  reach_.q = std::max(reach_.q, size(at.q - start_q_));
  reach_.v = std::max(reach_.v, size(at.v));
  if (++since_noted_ < stride_ && !points_.empty()) return;
  since_noted_ = 0;
  points_.push_back({at.t, log_scale_, size(w_.q), size(w_.v), reach_, way_});
  if (points_.size() < most_points) return;
  for (std::size_t i = 0; 2 * i < points_.size(); ++i) points_[i] = points_[2 * i];
  points_.resize(points_.size() / 2);
  stride_ *= 2;
}

// How far the companion in the midst is from where the run is, relative to the extent of the motion.
double ErrorGrowth::off_course(const State& end) const {
  const double tiny = at_rest * scale_;
  const auto off = [&](const LaneArray& companions, const Vector& there) {
    return size(Eigen::Map<const Companions>(companions.data(), lanes, there.size()).row(0).transpose() - there);
  };
  return std::max(off(q_, end.q) / (way_.q + tiny), off(v_, end.v) / (way_.v + tiny / std::abs(end.t - now_.t)));
}

// The speed of w over the last part.
void ErrorGrowth::learn_speed() {
  double changes = 0.0, sizes = 0.0;
  for (int i = 0; i < Table::end; ++i) {
    changes += half_between(kv_.col(i).data()).cwiseProduct(root_mass_).squaredNorm();
    sizes += half_between(kq_.col(i).data()).cwiseProduct(root_mass_).squaredNorm();
  }
  if (sizes > 0.0) speed_ = std::max(0.9 * speed_, std::min(std::sqrt(changes / sizes), 10.0 * speed_));
}

bool ErrorGrowth::is_uniform_until(const State& end) const {
  const double hardly = 1e-3 * scale_;
  const double h = end.t - now_.t;
  return std::abs(h) * size(end.v - now_.v) < hardly && size(end.q - now_.q - h * now_.v) < hardly;
}

bool ErrorGrowth::grow_uniformly(const State& end) {
  const double h = end.t - now_.t;
  const std::optional<double> before = uniform_.rate(now_, h), after = uniform_.rate(end, h);
  if (!before || !after) return false;
  const double rate = 0.5 * (*before + *after);
  log_scale_ += rate * std::abs(h);
  speed_ = std::max(speed_, rate);
  go_on(end);
  return true;
}

void ErrorGrowth::go_on(const State& end) {
  way_.q += size(end.q - now_.q);
  way_.v += size(end.v - now_.v);
  now_ = end;
  project(now_);
  normalize();
  note(now_);
}

void ErrorGrowth::follow(const State& end) {
  const double h = end.t - now_.t;
  if (!known_ || h == 0.0 || size(w_) == 0.0) return;
  if (has_worked_enough()) {
    known_ = false;
    for (LaneArray* each : {&q_, &v_, &a_, &stage_q_, &stage_v_}) *each = LaneArray(0);
    kq_ = kv_ = Matrix();
    return;
  }
  if (part_ == 0.0) part_ = std::abs(h);
  const double doubt = std::max(least_doubt, first_doubt / static_cast<double>(++steps_)), accurate = doubt * doubt;
  int parts = static_cast<int>(std::clamp(std::ceil(std::abs(h) / part_ - part_more), 1.0, 1.0 * most_parts));
  const double spread = spread_at(now_);
  double error = carry(now_.t, h, parts, spread);
  while (!(error <= let_pass * accurate) && parts < most_parts) {
    parts = std::min(2 * parts, most_parts);
    error = carry(now_.t, h, parts, spread);
  }
  if (!(error <= let_pass * accurate) && is_uniform_until(end) && grow_uniformly(end)) return;
  known_ = error < hopeless;
  if (!known_) return;
  part_ = std::abs(h) / parts * std::clamp(0.9 * std::pow(accurate / (error + 1e-300), 0.125), 0.3, 3.0);
  w_ = {half_between(q_.data()) / spread, half_between(v_.data()) / spread};
  learn_speed();
  doubt_ += std::sqrt(std::max(error, off_course(end)));
  go_on(end);
}

// Of errors relative to the extent of the motion at the time. What begins at rest has no extent yet: an error at its
// start is compared with the system, or with the whole motion if that is less.
double ErrorGrowth::log_growth(const Point& to, Extent Point::*extent) const {
  const Point& from = points_.front();
  const Extent end = to.*extent;
  const Extent start{std::min(end.q, std::max((from.*extent).q, scale_)),
                     std::min(end.v, std::max((from.*extent).v, scale_ * end.v / end.q))};
  const auto relative = [](const Point& p, const Extent& whole) {
    return p.log_scale + std::log(std::max({p.q / whole.q, p.v / whole.v, 1e-300}));
  };
  return relative(to, end) - relative(from, start);
}

// Errors that grow only in proportion to what the motion travels, as those of the angle of a wheel, are not multiplied:
// what they gain relative to its reach is less than what it travels, counted in reaches.
double ErrorGrowth::log_growth(const Point& to) const {
  const double by_reach = log_growth(to, &Point::reach), by_way = log_growth(to, &Point::way);
  return by_way > by_reach - by_way ? by_reach : by_way;
}

// Relative to the size of the system; what may only drift multiplies nothing.
Sensitivity ErrorGrowth::conclude_at_rest(double rtol) const {
  const double span = now_.t - points_.front().t;
  const std::optional<double> rate = growth_rate(system_, now_, span);
  if (!rate) return {};
  const double holds = std::max(0.0, std::log(Sensitivity::holding / rtol)) / *rate;
  return {std::exp(std::min(*rate * std::abs(span), 690.0)),
          points_.front().t + std::copysign(std::min(holds, std::abs(span)), span), true};
}

std::optional<double> ErrorGrowth::log_factor() const {
  if (reach_.q < at_rest * scale_ || !known_ || !(reach_.v > 0.0) || points_.size() < 2) return std::nullopt;
  const double growth = log_growth(points_.back());
  return doubt_ < 1.0 + 0.5 * std::max(growth, 0.0) ? std::optional(growth) : std::nullopt;
}

Sensitivity ErrorGrowth::sensitivity(double rtol) const {
  if (reach_.q < at_rest * scale_) return conclude_at_rest(rtol);
  Sensitivity found;
  if (!known_ || !(reach_.v > 0.0) || points_.size() < 2) return found;
  constexpr double last_part = 0.1;  // of the time: errors swing as the motion does
  const double from = points_.back().t - last_part * (points_.back().t - points_.front().t);
  const double direction = points_.back().t > points_.front().t ? 1.0 : -1.0;
  double at_end = 0.0;
  found.t_digits = points_.back().t;
  bool holds = true;
  for (const Point& p : points_) {
    if (!(p.reach.q > 0.0 && p.reach.v > 0.0)) continue;
    const double growth = log_growth(p);
    if (direction * (p.t - from) >= 0.0) at_end = std::max(at_end, growth);
    if (holds && growth + std::log(rtol) > std::log(Sensitivity::holding)) {
      found.t_digits = p.t;
      holds = false;
    }
  }
  found.known = doubt_ < 1.0 + 0.5 * at_end;  // else what is found may be the doing of the companions
  found.factor = std::exp(std::min(at_end, 690.0));
  return found;
}

}  // namespace raak

#include "run/error_growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace raak {
namespace {

constexpr int most_parts = 8;    // of a step; modes that need more are stiff, and die out
constexpr double longest = 0.8;  // speed of a mode times the length of a part
constexpr std::size_t most_points = 4096;
constexpr double holding = 1e-3;  // relative error up to which digits are said to hold

// Numbers of all signs without a pattern, the same in every run.
Vector scattered(Eigen::Index n, double phase) {
  Vector x(n);
  for (Eigen::Index i = 0; i < n; ++i) x[i] = std::sin(12.9898 * static_cast<double>(i + 1) + phase);
  return x;
}

}  // namespace

ErrorGrowth::ErrorGrowth(const ConstrainedSystem& system, const State& start)
    : system_(system), start_q_(start.q), to_(start) {
  const Eigen::Index n = start.q.size();
  Vector mass(n);
  system.mass_diagonal(start.t, start.q, mass);
  root_mass_ = mass.cwiseMax(1e-300).cwiseSqrt();
  const double speed = size(start.v), change = size(start.a);
  speed_ = speed > 0.0 && change > 0.0 ? change / speed : 1.0;
  w_.q = scattered(n, 0.3).cwiseQuotient(root_mass_);
  w_.v = speed_ * scattered(n, 1.7).cwiseQuotient(root_mass_);
  project(start.t, start.q, start.v);
  normalize();
  log_scale_ = 0.0;
  note(start.t, start.q, start.v);
}

double ErrorGrowth::difference_step(const Vector& q, const Vector& v, const Tangent& w) const {
  constexpr double little = 1e-7;
  const double of_q = (1.0 + q.cwiseAbs().maxCoeff()) / std::max(w.q.cwiseAbs().maxCoeff(), 1e-300);
  const double of_v = (1.0 + v.cwiseAbs().maxCoeff()) / std::max(w.v.cwiseAbs().maxCoeff(), 1e-300);
  return little * std::min(of_q, of_v);
}

ErrorGrowth::Tangent ErrorGrowth::rate(double t, const Vector& q, const Vector& v, const Tangent& w) {
  const double step = difference_step(q, v, w);
  State here = State::of_size(q.size(), system_.rows());
  State there = here;
  here.q = q;
  here.v = v;
  there.q = q + step * w.q;
  there.v = v + step * w.v;
  const double pivot = std::min(system_.accelerate(t, here.q.data(), here.v.data(), here.a.data(), nullptr),
                                system_.accelerate(t, there.q.data(), there.v.data(), there.a.data(), nullptr));
  Tangent change{w.v, (there.a - here.a) / step};
  bool valid = pivot > 1e-10 && change.v.allFinite();
  if (valid && system_.switches() > 0) {  // across a jump of a force there is no derivative
    Vector before(system_.switches()), after(system_.switches());
    system_.evaluate_switches(t, here.q, here.v, before);
    system_.evaluate_switches(t, there.q, there.v, after);
    valid = (before.array() * after.array() >= 0.0).all();
  }
  if (!valid) change.v.setZero();
  return change;
}

// Of many coordinates the dense output of a method may cost as much as its step; the polynomial of degree 5 through the
// ends of the step does for derivatives.
bool ErrorGrowth::look(Integrator& step, double t, Vector& q, Vector& v) const {
  constexpr Eigen::Index many = 60;
  if (start_q_.size() <= many) {
    q.resize(start_q_.size());
    v.resize(start_q_.size());
    step.interpolate(t, q, v);
  } else {
    const double h = to_.t - from_.t, s = (t - from_.t) / h, s2 = s * s, s3 = s2 * s, s4 = s3 * s, s5 = s4 * s;
    const double rise = 10.0 * s3 - 15.0 * s4 + 6.0 * s5, slope = 30.0 * s2 - 60.0 * s3 + 30.0 * s4;
    q = from_.q + rise * (to_.q - from_.q) + h * (s - 6.0 * s3 + 8.0 * s4 - 3.0 * s5) * from_.v +
        h * (-4.0 * s3 + 7.0 * s4 - 3.0 * s5) * to_.v + 0.5 * h * h * (s2 - 3.0 * s3 + 3.0 * s4 - s5) * from_.a +
        0.5 * h * h * (s3 - 2.0 * s4 + s5) * to_.a;
    v = slope / h * (to_.q - from_.q) + (1.0 - 18.0 * s2 + 32.0 * s3 - 15.0 * s4) * from_.v +
        (-12.0 * s2 + 28.0 * s3 - 15.0 * s4) * to_.v + h * (s - 4.5 * s2 + 6.0 * s3 - 2.5 * s4) * from_.a +
        h * (1.5 * s2 - 4.0 * s3 + 2.5 * s4) * to_.a;
  }
  return q.allFinite() && v.allFinite();
}

bool ErrorGrowth::advance(Integrator& step, double t, double h) {
  Vector q[3], v[3];
  for (int i = 0; i < 3; ++i)
    if (!look(step, t + 0.5 * i * h, q[i], v[i])) return false;
  const auto moved = [&](const Tangent& k, double by) { return Tangent{w_.q + by * k.q, w_.v + by * k.v}; };
  const Tangent k1 = rate(t, q[0], v[0], w_);
  const Tangent k2 = rate(t + 0.5 * h, q[1], v[1], moved(k1, 0.5 * h));
  const Tangent k3 = rate(t + 0.5 * h, q[1], v[1], moved(k2, 0.5 * h));
  // The speed of the mode that matters most to what is left of the iteration: Hairer and Wanner II, IV.2.
  const auto apart = [&](const Tangent& a, const Tangent& b) {
    return std::hypot(speed_ * size(a.q - b.q), size(a.v - b.v));
  };
  const double below = apart(k2, k1);
  if (below > 0.0) speed_ = std::max(0.9 * speed_, apart(k3, k2) / (0.5 * std::abs(h) * below));
  if (speed_ * std::abs(h) > 2.5 * longest) return false;
  const Tangent k4 = rate(t + h, q[2], v[2], moved(k3, h));
  w_.q += h / 6.0 * (k1.q + 2.0 * k2.q + 2.0 * k3.q + k4.q);
  w_.v += h / 6.0 * (k1.v + 2.0 * k2.v + 2.0 * k3.v + k4.v);
  return w_.q.allFinite() && w_.v.allFinite();
}

// Off the constraints an error does not stay small for long, and a method brings it back.
void ErrorGrowth::project(double t, const Vector& q, const Vector& v) {
  if (system_.rows() == 0) return;
  const double step = difference_step(q, v, w_);
  Vector q0 = q, v0 = v, q1 = q + step * w_.q, v1 = v + step * w_.v;
  system_.correct_state(t, q0.data(), v0.data());
  system_.correct_state(t, q1.data(), v1.data());
  const Tangent projected{(q1 - q0) / step, (v1 - v0) / step};
  const double before = std::hypot(speed_ * size(w_.q), size(w_.v));
  const double after = std::hypot(speed_ * size(projected.q), size(projected.v));
  if (std::isfinite(after) && after <= 2.0 * before) w_ = projected;
}

void ErrorGrowth::normalize() {
  const double length = std::hypot(speed_ * size(w_.q), size(w_.v));
  if (!(length > 1e-150)) {  // nothing is free to move
    w_.q.setZero();
    w_.v.setZero();
    return;
  }
  w_.q /= length;
  w_.v /= length;
  log_scale_ += std::log(length);
}

void ErrorGrowth::note(double t, const Vector& q, const Vector& v) {
  extent_q_ = std::max(extent_q_, size(q - start_q_));
  extent_v_ = std::max(extent_v_, size(v));
  if (++since_noted_ < stride_ && !points_.empty()) return;
  since_noted_ = 0;
  points_.push_back({t, log_scale_, size(w_.q), size(w_.v)});
  if (points_.size() < most_points) return;
  for (std::size_t i = 0; 2 * i < points_.size(); ++i) points_[i] = points_[2 * i];
  points_.resize(points_.size() / 2);
  stride_ *= 2;
}

void ErrorGrowth::after_step(Integrator& step, double t0) {
  const double t1 = step.time();
  if (!known_ || t1 == t0) return;
  from_ = std::move(to_);
  to_ = step.current();
  const double parts_wanted = std::ceil(speed_ * std::abs(t1 - t0) / longest);
  int parts = static_cast<int>(std::clamp(parts_wanted, 1.0, static_cast<double>(most_parts)));
  const Tangent before = w_;
  for (bool done = false; !done;) {
    done = true;
    w_ = before;
    for (int i = 0; i < parts && done; ++i) done = advance(step, t0 + (t1 - t0) * i / parts, (t1 - t0) / parts);
    if (!done && parts >= most_parts) {
      known_ = false;
      return;
    }
    if (!done) parts = std::min(2 * parts, most_parts);
  }
  project(t1, to_.q, to_.v);
  normalize();
  note(t1, to_.q, to_.v);
}

Sensitivity ErrorGrowth::conclude(double rtol) const {
  Sensitivity found;
  found.known = known_ && extent_q_ > 0.0 && extent_v_ > 0.0 && points_.size() > 1;
  if (!found.known) return found;
  const auto relative = [&](const Point& p) {
    const double e = std::max(p.q / extent_q_, p.v / extent_v_);
    return p.log_scale + std::log(std::max(e, 1e-300));
  };
  const double at_start = relative(points_.front());
  constexpr double last_part = 0.1;  // of the time: errors swing as the motion does
  const double from = points_.back().t - last_part * (points_.back().t - points_.front().t);
  const double direction = points_.back().t > points_.front().t ? 1.0 : -1.0;
  double most = 0.0, at_end = 0.0;
  found.t_digits = points_.back().t;
  bool holds = true;
  for (const Point& p : points_) {
    most = std::max(most, relative(p) - at_start);
    if (direction * (p.t - from) >= 0.0) at_end = std::max(at_end, relative(p) - at_start);
    if (holds && most + std::log(rtol) > std::log(holding)) {
      found.t_digits = p.t;
      holds = false;
    }
  }
  found.factor = std::exp(std::min(at_end, 690.0));
  return found;
}

void warn_of_sensitivity(Result& result) {
  constexpr double many = 1e4;
  const Sensitivity& found = result.sensitivity;
  if (!found.known || !(found.factor > many)) return;
  const double rtol = result.tolerances.q.rtol;
  const double error = found.factor * rtol;
  std::string held = error < 0.3 ? fmt::format("{:.1g} of the motion", error) : "as large as the motion itself";
  if (error > holding)
    held += fmt::format(", and stays below {:g} of it until about t = {:.3g} s only", holding, found.t_digits);
  result.warnings.push_back(
      fmt::format("this motion is sensitive: by t = {:.6g} s it multiplies errors by about {:.0e}. An error of rtol = "
                  "{:.0e} becomes "
                  "{}. A tighter --rtol gives more digits; errors of the numbers in the model grow in the same way",
                  result.end.t, found.factor, rtol, held));
}

}  // namespace raak

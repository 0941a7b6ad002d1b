#include "study/sweep/kept_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace raak {
namespace {

using Reduction = Measure::Kind;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Gauss and Legendre's rule with 8 points on [0, 1]: exact for polynomials of degree 15, those of the dense output of a
// step and their squares.
struct Node {
  double place, weight;
};
constexpr std::array<Node, 8> nodes{{{0.01985507175123188, 0.05061426814518813},
                                     {0.10166676129318664, 0.11119051722668724},
                                     {0.23723379504183550, 0.15685332293894364},
                                     {0.40828267875217510, 0.18134189168918100},
                                     {0.59171732124782490, 0.18134189168918100},
                                     {0.76276620495816450, 0.15685332293894364},
                                     {0.89833323870681340, 0.11119051722668724},
                                     {0.98014492824876810, 0.05061426814518813}}};

bool is_mean(const KeptColumn& kept) {
  return kept.measure.kind == Reduction::mean || kept.measure.kind == Reduction::rms;
}

}  // namespace

KeptValues::KeptValues(const SweptModel& swept, const ConstrainedSystem& system)
    : swept_(swept),
      system_(system),
      between_(State::of_size(system.coordinates(), system.rows())),
      outputs_(system.outputs()),
      g_(system.position_rows()),
      c_(system.rows()) {
  const ReportedNames& names = system.reported();
  const std::size_t rates = names.velocities.size();
  ends_[0] = 1;
  ends_[1] = ends_[0] + names.positions.size();
  ends_[2] = ends_[1] + rates;
  ends_[3] = ends_[2] + rates;
  ends_[4] = ends_[3] + names.rows.size();
  ends_[5] = ends_[4] + static_cast<std::size_t>(system.outputs());
  shown_ = {0.0, Vector(names.positions.size()), Vector(rates), Vector(rates), Vector(names.rows.size())};
  for (const KeptColumn& kept : swept_.kept) {
    const Reduction kind = kept.measure.kind;
    if (kind == Reduction::event || kind == Reduction::count) continue;
    const bool is_end = kind == Reduction::end, is_extreme = kind == Reduction::min || kind == Reduction::max;
    const std::size_t place = kept.column, beyond = place - std::min(place, ends_[5]);
    needs_extremes_ |= is_extreme;
    needs_integrals_ |= is_mean(kept);
    needs_steps_ |= !is_end;
    needs_motion_ |= place >= ends_[0] && place < ends_[3];
    needs_multipliers_ |= place >= ends_[3] && place < ends_[4];
    needs_outputs_ |= place >= ends_[4] && place < ends_[5];
    needs_energy_ |= place >= ends_[5] && beyond < 2;
    needs_balance_ |= place >= ends_[5] && beyond >= 2 && beyond < energy_outputs;
    needs_violation_ |= place >= ends_[5] && beyond >= energy_outputs;
    const bool of_forces = place >= ends_[2] && place < (system.outputs_need_forces() ? ends_[5] : ends_[4]);
    needs_accelerations_ |= of_forces && !is_end && !is_extreme;
    end_accelerations_ |= of_forces && !is_end;
    if (kind == Reduction::at) moments_.push_back({kept.measure.t, place, kept.first});
    if (kind == Reduction::trajectory)
      for (std::size_t i = 0; i < kept.width; ++i)
        moments_.push_back({swept_.trajectory_times[i], place, kept.first + i});
  }
}

std::vector<Event> KeptValues::wanted_events(std::vector<Event> events) const {
  std::erase_if(events, [&](const Event& event) {
    if (event.action == Event::Action::stop) return false;
    return std::none_of(swept_.kept.begin(), swept_.kept.end(),
                        [&](const KeptColumn& kept) { return kept.measure.event == event.name; });
  });
  return events;
}

void KeptValues::begin(const State& start, double until, std::span<double> values) {
  values_ = values;
  direction_ = until < start.t ? -1.0 : 1.0;
  start_ = start.t;
  next_ = 0;
  for (const KeptColumn& kept : swept_.kept) {
    const auto place = values_.begin() + static_cast<std::ptrdiff_t>(kept.first);
    std::fill_n(place, kept.width, is_mean(kept) || kept.measure.kind == Reduction::count ? 0.0 : unknown);
  }
  std::stable_sort(moments_.begin(), moments_.end(),
                   [&](const Moment& a, const Moment& b) { return direction_ * a.t < direction_ * b.t; });
  if (!needs_steps_) return;
  const bool takes_extremes = needs_extremes_ && !needs_balance_;
  if (takes_extremes || (!moments_.empty() && moments_.front().t == start.t)) read(start);
  if (takes_extremes) take_extremes();
  for (; next_ < moments_.size() && moments_[next_].t == start.t; ++next_)
    values_[moments_[next_].place] = column(moments_[next_].column);
}

void KeptValues::read(const State& state) {
  t_ = state.t;
  if (needs_multipliers_) system_.report(state, shown_);
  else if (needs_motion_) system_.report_motion(state, shown_);
  if (needs_outputs_) system_.evaluate_outputs(state, outputs_);
  if (needs_energy_) energy_ = system_.energy(state.t, state.q, state.v);
  if (!needs_violation_) return;
  violation_ = {};
  if (g_.size() > 0) {
    system_.constraint(state.t, state.q, g_);
    violation_[0] = g_.norm();
  }
  if (c_.size() > 0) {
    system_.velocity_constraint(state.t, state.q, state.v, c_);
    violation_[1] = c_.norm();
  }
}

double KeptValues::column(std::size_t place) const {
  const auto part = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), place) - ends_.begin());
  const auto i = static_cast<Eigen::Index>(part == 0 ? 0 : place - ends_[part - 1]);
  switch (part) {
    case 0:
      return t_;
    case 1:
      return shown_.q[i];
    case 2:
      return shown_.v[i];
    case 3:
      return shown_.a[i];
    case 4:
      return shown_.lambda[i];
    case 5:
      return outputs_[i];
    default:
      break;
  }
  if (i == 0) return energy_.kinetic;
  if (i == 1) return energy_.potential;
  return i < energy_outputs ? balance_[static_cast<std::size_t>(i - 2)]
                            : violation_[static_cast<std::size_t>(i - energy_outputs)];
}

void KeptValues::take_extremes() {
  for (const KeptColumn& kept : swept_.kept) {
    double& value = values_[kept.first];
    if (kept.measure.kind == Reduction::min) value = std::fmin(value, column(kept.column));
    if (kept.measure.kind == Reduction::max) value = std::fmax(value, column(kept.column));
  }
}

const State& KeptValues::inside(double t, Integrator& step) {
  between_.t = t;
  step.interpolate(t, between_.q, between_.v);
  if (needs_accelerations_) update_accelerations(system_, between_);
  return between_;
}

void KeptValues::integrate_step(const SeenStep& seen) {
  const double length = seen.to() - seen.from;
  for (const Node& node : nodes) {
    read(inside(seen.from + node.place * length, seen.step));
    const double weight = node.weight * std::abs(length);
    for (const KeptColumn& kept : swept_.kept) {
      if (!is_mean(kept)) continue;
      const double x = column(kept.column);
      values_[kept.first] += weight * (kept.measure.kind == Reduction::mean ? x : x * x);
    }
  }
}

void KeptValues::pass_times(const SeenStep& seen) {
  double read_at = unknown;
  const double to = seen.to();
  for (; next_ < moments_.size() && direction_ * moments_[next_].t <= direction_ * to; ++next_) {
    const Moment& moment = moments_[next_];
    if (direction_ * moment.t < direction_ * seen.from) continue;
    if (moment.t != read_at) read(moment.t == to ? end_of(seen) : inside(moment.t, seen.step));
    read_at = moment.t;
    values_[moment.place] = column(moment.column);
  }
}

void KeptValues::step(const SeenStep& seen) {
  if (needs_integrals_ && seen.to() != seen.from) integrate_step(seen);
  if (next_ < moments_.size()) pass_times(seen);
  if (!needs_extremes_ || needs_balance_) return;
  read(end_of(seen));
  take_extremes();
}

void KeptValues::sample(const State& state, const Vector& outputs) {
  read(state);
  for (std::size_t i = 0; i < balance_.size(); ++i)
    balance_[i] = outputs[system_.outputs() + 2 + static_cast<Eigen::Index>(i)];
  if (needs_extremes_) take_extremes();
}

void KeptValues::finish(const Result& result) {
  if (result.termination != Termination::ok) {
    std::fill(values_.begin(), values_.end(), unknown);
    return;
  }
  read(result.end);
  const double span = std::abs(result.end.t - start_);
  for (const KeptColumn& kept : swept_.kept) {
    double& value = values_[kept.first];
    if (kept.measure.kind == Reduction::end) value = column(kept.column);
    if (kept.measure.kind == Reduction::mean) value /= span;
    if (kept.measure.kind == Reduction::rms) value = std::sqrt(value / span);
  }
  for (const EventRecord& event : result.events)
    for (const KeptColumn& kept : swept_.kept) {
      if (kept.measure.event != event.name) continue;
      double& value = values_[kept.first];
      if (kept.measure.kind == Reduction::count) value += 1.0;
      else if (std::isnan(value)) value = event.state.t;
    }
}

}  // namespace raak

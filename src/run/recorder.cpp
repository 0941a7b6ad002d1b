#include "run/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text/text.h"

namespace raak {

std::vector<std::string> output_names(const ConstrainedSystem& system) {
  std::vector<std::string> names = system.description().outputs;
  names.insert(names.end(), {"energy.kinetic", "energy.potential", "energy.input", "energy.dissipation",
                             "energy.balance", "violation.position", "violation.velocity"});
  return names;
}

Recorder::Recorder(const ConstrainedSystem& system, const State& start, const Plan& plan, const Observer& observer)
    : system_(system),
      plan_(plan),
      observer_(observer),
      samples_{plan.sample_times, observer, plan.sample_times.empty()},
      frames_{plan.frame_times, plan.frame, false},
      ledger_(system, 0.1 * std::min(plan.tolerances.q.rtol, plan.tolerances.v.rtol)),
      lanes_q_(plan.between_frames ? lanes * system.coordinates() : 0),
      lanes_v_(lanes_q_),
      lanes_a_(lanes_q_),
      lanes_lambda_(plan.between_frames ? lanes * system.rows() : 0),
      g_(system.position_rows()),
      c_(system.rows()),
      outputs_(system.outputs() + energy_outputs + violation_outputs),
      system_outputs_(system.outputs()),
      last_time_(start.t) {
  if (idle()) return;
  ledger_.begin(start);
  between_ = State::of_size(system.coordinates(), system.rows());
}

void Recorder::start(const State& state, const Integrator& step, double direction) {
  direction_ = direction;
  measure_violation(state);
  entry_ = ledger_.at_start();
  potential_at_start_ = entry_.potential;
  note_energy_moved();
  fill_outputs(state, entry_, violation_);
  emit_at(samples_, state, step);
  emit_at(frames_, state, step);
}

void Recorder::note_energy_moved() {
  quality_.energy_moved =
      std::max({quality_.energy_moved, entry_.kinetic, std::abs(entry_.potential - potential_at_start_)});
}

void Recorder::after_step(const State& state, Integrator& step) {
  emit_between(samples_, state.t, step);
  emit_between(frames_, state.t, step);
  if (plan_.between_frames) look_inside(state.t, step);
  if (plan_.inside_step) plan_.inside_step(last_time_, step);
  measure_violation(state);
  entry_ = ledger_.close_step(state, step);
  if (plan_.measure_quality) {
    // Where it is unknown once, nobody knows the largest.
    if (!(std::abs(entry_.balance) <= quality_.energy_drift) && !std::isnan(quality_.energy_drift))
      quality_.energy_drift = std::abs(entry_.balance);
    note_energy_moved();
  }
  fill_outputs(state, entry_, violation_);
  emit_at(samples_, state, step);
  emit_at(frames_, state, step);
  if (plan_.between_frames) {
    ledger_.accounts_at(state, accounts_);
    plan_.between_frames({state, outputs_, nullptr, &accounts_});
  }
  if (plan_.step_taken) {
    plan_.step_taken(
        {state.t, state.t - last_time_, step.order(), violation_.position, violation_.velocity, step.statistics()});
  }
  last_time_ = state.t;
}

void Recorder::count_step(const Integrator& step) {
  if (!plan_.step_taken) return;
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  plan_.step_taken({step.time(), step.time() - last_time_, step.order(), unknown, unknown, step.statistics()});
  last_time_ = step.time();
}

void Recorder::finish(const State& state) {
  if (!idle()) return;
  const Energy e = system_.energy(state.t, state.q, state.v);
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  fill_outputs(state, {e.kinetic, e.potential, unknown, unknown, unknown}, {unknown, unknown});
  quality_ = {unknown, unknown, unknown};
}

Ledger Recorder::ledger(const State& end) {
  if (idle()) {
    Ledger nothing;
    nothing.is_known = false;
    return nothing;
  }
  Ledger ledger = ledger_.close(end, entry_);
  ledger.balance_between = balance_between_;
  return ledger;
}

void Recorder::emit_between(Progress& progress, double t, Integrator& step) {
  while (progress.passes(t, direction_)) {
    between_.t = progress.times[progress.next++];
    if (!progress.observer) continue;
    step.interpolate(between_.t, between_.q, between_.v);
    update_accelerations(system_, between_);
    const EnergyLedger::Entry entry = ledger_.entry(between_, step);
    balance_between_ = std::fmax(balance_between_, std::abs(entry.balance));  // nan: nothing was seen before
    fill_outputs(between_, entry, violation_of(between_));
    if (&progress == &frames_) ledger_.accounts_at(between_, accounts_);
    progress.observer({between_, outputs_, independent_at(between_, step), &accounts_});
  }
}

// A step of high order may be as long as half a period of the fastest vibration, so that its ends miss the extremes.
// Eight parts of it do not; frames that are closer than that show what happens by themselves.
void Recorder::look_inside(double t, Integrator& step) {
  constexpr int parts = 8;
  const double h = t - last_time_;
  const std::vector<double>& frames = plan_.frame_times;
  const bool shown = frames.size() > 1 && std::abs(frames[1] - frames[0]) * parts <= std::abs(h);
  if (shown || h == 0.0) return;
  const int n = system_.coordinates(), m = system_.rows();
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  for (int first = 1; first < parts; first += lanes) {
    alignas(32) double times[lanes], pivots[lanes];
    for (int k = 0; k < lanes; ++k) {
      // The last one of a group that is not full repeats the one before.
      times[k] = last_time_ + h * std::min(first + k, parts - 1) / parts;
      step.interpolate(times[k], between_.q, between_.v);
      for (int d = 0; d < n; ++d) {
        lanes_q_[lanes * d + k] = between_.q[d];
        lanes_v_[lanes * d + k] = between_.v[d];
      }
    }
    system_.accelerate_lanes(times, lanes_q_.data(), lanes_v_.data(), lanes_a_.data(), lanes_lambda_.data(), pivots);
    for (int k = 0; k < lanes && first + k < parts; ++k) {
      between_.t = times[k];
      for (int d = 0; d < n; ++d) {
        between_.q[d] = lanes_q_[lanes * d + k];
        between_.v[d] = lanes_v_[lanes * d + k];
        between_.a[d] = lanes_a_[lanes * d + k];
      }
      for (int i = 0; i < m; ++i) between_.lambda[i] = lanes_lambda_[lanes * i + k];
      const Energy energy = system_.energy(between_.t, between_.q, between_.v);
      system_.evaluate_outputs(between_, system_outputs_);
      outputs_.head(system_outputs_.size()) = system_outputs_;
      energies_of(outputs_) << energy.kinetic, energy.potential, unknown, unknown, unknown;
      outputs_.tail<violation_outputs>().setConstant(unknown);
      ledger_.stored_at(between_, accounts_);
      plan_.between_frames({between_, outputs_, nullptr, &accounts_});
    }
  }
}

void Recorder::emit_at(Progress& progress, const State& state, const Integrator& step) {
  const bool wanted = progress.is_at(state.t);
  if (wanted) ++progress.next;
  if (!(wanted || progress.every_step) || !progress.observer) return;
  if (&progress == &frames_) ledger_.accounts_at(state, accounts_);
  progress.seen = state.t;
  progress.observer({state, outputs_, step.independent_coordinates(), &accounts_});
}

void Recorder::add_last_sample(const State& state, const Integrator& step) {
  if (samples_.observer && samples_.seen != state.t)
    samples_.observer({state, outputs_, step.independent_coordinates(), &accounts_});
}

Recorder::Violation Recorder::violation_of(const State& state) {
  Violation found;
  if (system_.position_rows() > 0) {
    system_.constraint(state.t, state.q, g_);
    found.position = g_.norm();
  }
  if (system_.rows() > 0) {
    system_.velocity_constraint(state.t, state.q, state.v, c_);
    found.velocity = c_.norm();
  }
  return found;
}

void Recorder::measure_violation(const State& state) {
  violation_ = violation_of(state);
  quality_.position_residual = std::max(quality_.position_residual, violation_.position);
  quality_.velocity_residual = std::max(quality_.velocity_residual, violation_.velocity);
}

void Recorder::fill_outputs(const State& state, const EnergyLedger::Entry& e, const Violation& violation) {
  system_.evaluate_outputs(state, system_outputs_);
  outputs_.head(system_outputs_.size()) = system_outputs_;
  if (!system_outputs_.allFinite()) {
    missing_since_.resize(static_cast<std::size_t>(system_outputs_.size()), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < missing_since_.size(); ++i)
      if (!std::isfinite(system_outputs_[static_cast<Eigen::Index>(i)]) && std::isnan(missing_since_[i]))
        missing_since_[i] = state.t;
  }
  energies_of(outputs_) << e.kinetic, e.potential, e.input, e.dissipation, e.balance;
  outputs_.tail<violation_outputs>() << violation.position, violation.velocity;
}

std::string Recorder::missing_outputs() const {
  constexpr std::size_t most_names = 6;
  std::vector<std::string> parts;
  std::size_t count = 0;
  for (std::size_t i = 0; i < missing_since_.size(); ++i) {
    if (std::isnan(missing_since_[i]) || ++count > most_names) continue;
    const std::string& name = system_.description().outputs[i];
    parts.push_back(fmt::format(
        fmt::runtime(count == 1 ? "output \"{}\" has no value at t = {:.6g} s" : "nor has \"{}\" at t = {:.6g} s"),
        name, missing_since_[i]));
  }
  if (parts.empty()) return "";
  if (count > most_names) parts.push_back(fmt::format("nor have {} more", count - most_names));
  return fmt::format(
      "{}: it holds a reaction that is not unique (raak assemble lists which), or its formula divides by zero there, "
      "or "
      "takes the root or logarithm of a negative number",
      join(parts));
}

// z, z' and z'' between steps, in the basis of the step.
const IndependentCoordinates* Recorder::independent_at(const State& state, const Integrator& step) {
  const IndependentCoordinates* now = step.independent_coordinates();
  if (now == nullptr) return nullptr;
  independent_.VI = independent_.through = now->through;
  independent_.z = now->through * state.q;
  independent_.z1 = now->through * state.v;
  independent_.z2 = now->through * state.a;
  return &independent_;
}

}  // namespace raak

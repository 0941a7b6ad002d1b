#include "run/energy_ledger.h"

#include <array>

namespace raak {
namespace {

// Gauss-Legendre nodes and weights on [-1, 1]: exact enough for the long steps of a method of order 16.
constexpr std::array<double, 8> nodes{-0.960289856497536232, -0.796666477413626740, -0.525532409916328986,
                                      -0.183434642495649805, 0.183434642495649805,  0.525532409916328986,
                                      0.796666477413626740,  0.960289856497536232};
constexpr std::array<double, 8> weights{0.101228536290376259, 0.222381034453374471, 0.313706645877887287,
                                        0.362683783378361983, 0.362683783378361983, 0.313706645877887287,
                                        0.222381034453374471, 0.101228536290376259};

}  // namespace

EnergyLedger::EnergyLedger(const ConstrainedSystem& system, const State& start)
    : system_(system),
      start_(system.energy(start.t, start.q, start.v)),
      step_start_(start.t),
      node_(State::of_size(system.coordinates(), system.rows())) {}

EnergyLedger::Entry EnergyLedger::at_start() const {
  return {start_.kinetic, start_.potential, 0.0, 0.0};
}

double EnergyLedger::work_since_step_start(double t, Integrator& step) {
  if (!system_.has_input_power() || t == step_start_) return 0.0;
  const double half = 0.5 * (t - step_start_);
  double sum = 0.0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    node_.t = step_start_ + half * (1.0 + nodes[i]);
    step.interpolate(node_.t, node_.q, node_.v);
    update_accelerations(system_, node_);
    sum += weights[i] * system_.input_power(node_);
  }
  return half * sum;
}

EnergyLedger::Entry EnergyLedger::entry(const State& state, Integrator& step) {
  const Energy e = system_.energy(state.t, state.q, state.v);
  const double input = e.input - start_.input + work_ + work_since_step_start(state.t, step);
  return {e.kinetic, e.potential, input, (e.kinetic + e.potential) - (start_.kinetic + start_.potential) - input};
}

EnergyLedger::Entry EnergyLedger::close_step(const State& state, Integrator& step) {
  work_ += work_since_step_start(state.t, step);
  step_start_ = state.t;
  return entry(state, step);
}

}  // namespace raak

#include "run/account/energy_ledger.h"

#include <array>
#include <limits>

#include "methods/collocation/collocation.h"
#include "methods/collocation/dense_collocation.h"

namespace raak {
namespace {

// Gauss-Legendre nodes and weights on [-1, 1]: exact enough for the long steps of a method of order 16.
constexpr std::array<double, 8> nodes{-0.960289856497536232, -0.796666477413626740, -0.525532409916328986,
                                      -0.183434642495649805, 0.183434642495649805,  0.525532409916328986,
                                      0.796666477413626740,  0.960289856497536232};
constexpr std::array<double, 8> gauss_weights{0.101228536290376259, 0.222381034453374471, 0.313706645877887287,
                                              0.362683783378361983, 0.362683783378361983, 0.313706645877887287,
                                              0.222381034453374471, 0.101228536290376259};

}  // namespace

EnergyLedger::EnergyLedger(const ConstrainedSystem& system, const State& start)
    : system_(system),
      accounts_(system.energy_accounts()),
      start_(system.energy(start.t, start.q, start.v)),
      step_start_(start.t),
      node_(State::of_size(system.coordinates(), system.rows())) {
  if (accounts_ != nullptr) accounts_->potential_energies(start.t, start.q, potentials_at_start_);
  // A system that does not report its accounts has one for all its work.
  const std::size_t works = accounts_ != nullptr ? accounts_->works().size() : system.has_input_power() ? 1 : 0;
  work_ = work_now_ = Vector::Zero(static_cast<Eigen::Index>(works));
}

EnergyLedger::Entry EnergyLedger::at_start() const {
  return {start_.kinetic, start_.potential, 0.0, 0.0, 0.0};
}

bool EnergyLedger::sums_up_work() const {
  return work_.size() > 0 && !(accounts_ != nullptr && accounts_->work_in_closed_form());
}

void EnergyLedger::update_rates(double t, Integrator& step) {
  node_.t = t;
  step.interpolate(t, node_.q, node_.v);
  update_accelerations(system_, node_);
  if (accounts_ != nullptr) accounts_->work_rates(node_, rates_);
  else rates_ = Vector::Constant(1, system_.input_power(node_));
}

void EnergyLedger::add_work_since_step_start(double t, Integrator& step, Vector& work) {
  const double half = 0.5 * (t - step_start_);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    update_rates(step_start_ + half * (1.0 + nodes[i]), step);
    work += half * gauss_weights[i] * rates_;
  }
}

// Twice as many nodes over the whole step serve for every time in it as eight do for the work up to one.
void EnergyLedger::add_work_by_series(double t, Integrator& step, Vector& work) {
  constexpr int terms = 16;
  const double h = step.time() - step_start_;
  if (power_.size() == 0) {
    const Collocation& rule = collocation_rule(Collocation::Kind::gauss, terms);
    power_ = Matrix::Zero(work.size(), terms);
    for (int j = 0; j < terms; ++j) {
      update_rates(step_start_ + h * rule.c[static_cast<std::size_t>(j)], step);
      for (int k = 0; k < terms; ++k) power_.col(k) += rule.series(k, j) * rates_;
    }
  }
  const std::array<double, terms> integrals = integrated_legendre<terms>((t - step_start_) / h);
  work += h * power_ * Eigen::Map<const Vector>(integrals.data(), terms);
}

EnergyLedger::Entry EnergyLedger::entry(const State& state, Integrator& step) {
  const Energy e = system_.energy(state.t, state.q, state.v);
  work_now_ = work_;
  if (sums_up_work() && state.t != step_start_) {
    if (entries_in_step_++ == 0) add_work_since_step_start(state.t, step, work_now_);
    else add_work_by_series(state.t, step, work_now_);
  }
  double input = e.input - start_.input, dissipation = 0.0;
  if (accounts_ != nullptr && accounts_->work_in_closed_form()) {
    work_now_[0] = input;
  } else {
    for (Eigen::Index i = 0; i < work_now_.size(); ++i) {
      if (is_damper(i)) dissipation -= work_now_[i];
      else input += work_now_[i];
    }
  }
  const double balance = (e.kinetic + e.potential) - (start_.kinetic + start_.potential) - input + dissipation;
  return {e.kinetic, e.potential, input, dissipation, balance};
}

bool EnergyLedger::is_damper(Eigen::Index work) const {
  return accounts_ != nullptr &&
         accounts_->works()[static_cast<std::size_t>(work)].kind == EnergyAccount::Kind::dissipation;
}

double EnergyLedger::energy_of(double t, const Vector& q, const Vector& v) const {
  const Energy e = system_.energy(t, q, v);
  return e.kinetic + e.potential - e.input;
}

EnergyLedger::Entry EnergyLedger::close_step(const State& state, Integrator& step) {
  if (sums_up_work() && state.t != step_start_) add_work_since_step_start(state.t, step, work_);
  step_start_ = state.t;
  power_.resize(0, 0);
  entries_in_step_ = 0;
  if (step.time() == state.t && step.before_projection(free_q_, free_v_)) {
    projects_ = true;
    projection_ += energy_of(state.t, state.q, state.v) - energy_of(state.t, free_q_, free_v_);
  }
  return entry(state, step);
}

void EnergyLedger::accounts_at(const State& state, Vector& energies) {
  if (accounts_ == nullptr) return;
  accounts_->potential_energies(state.t, state.q, energies);
  const Eigen::Index stored = energies.size();
  energies.conservativeResize(stored + work_now_.size());
  energies.tail(work_now_.size()) = work_now_;
}

void EnergyLedger::stored_at(const State& state, Vector& energies) const {
  if (accounts_ == nullptr) return;
  accounts_->potential_energies(state.t, state.q, energies);
  const Eigen::Index stored = energies.size();
  energies.conservativeResize(stored + work_now_.size());
  energies.tail(work_now_.size()).setConstant(std::numeric_limits<double>::quiet_NaN());
}

Ledger EnergyLedger::close(const State& state, const Entry& entry) {
  Ledger ledger;
  ledger.kinetic_start = start_.kinetic;
  ledger.kinetic_end = entry.kinetic;
  ledger.input = entry.input;
  ledger.dissipation = entry.dissipation;
  ledger.projects = projects_;
  ledger.projection = projection_;
  ledger.integrator = entry.balance - projection_;
  if (accounts_ == nullptr) return ledger;
  Vector energies;
  accounts_at(state, energies);
  const std::size_t stored = accounts_->potentials().size();
  for (std::size_t i = 0; i < stored; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    ledger.entries.push_back({accounts_->potentials()[i], potentials_at_start_[k], energies[k]});
  }
  for (std::size_t i = 0; i < accounts_->works().size(); ++i)
    ledger.entries.push_back({accounts_->works()[i], 0.0, energies[static_cast<Eigen::Index>(stored + i)]});
  return ledger;
}

}  // namespace raak

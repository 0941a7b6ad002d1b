#include "run/account/energy_ledger.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

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

constexpr Eigen::Index eight = nodes.size();
constexpr double least_tolerance = 1e-13;  // rounding
constexpr int most_halvings = 12;          // of a step

// P_6 and P_7 at the nodes: the last terms of a Legendre series that the nodes know.
Matrix last_terms() {
  Matrix terms(eight, 2);
  for (Eigen::Index i = 0; i < eight; ++i) {
    const double x = nodes[static_cast<std::size_t>(i)], weight = gauss_weights[static_cast<std::size_t>(i)];
    double before = 1.0, P = x;
    for (int k = 2; k < eight; ++k) before = std::exchange(P, ((2.0 * k - 1.0) * x * P - (k - 1.0) * before) / k);
    terms.row(i) << 6.5 * weight * before, 7.5 * weight * P;
  }
  return terms;
}

// Coefficients that fall to e in half of the terms fall to e^2 in all that the rule integrates. `last`: the last two of
// each work; `largest`: what they are compared with.
template <class Coefficients>
double quadrature_error(const Coefficients& last, const Vector& largest) {
  double error = 0.0;
  for (Eigen::Index i = 0; i < largest.size(); ++i)
    if (largest[i] > 0.0) error += last.row(i).squaredNorm() / largest[i];
  return error;
}

}  // namespace

EnergyLedger::EnergyLedger(const ConstrainedSystem& system, double tolerance)
    : system_(system), tolerance_(std::max(tolerance, least_tolerance)) {}

void EnergyLedger::begin(const State& start) {
  accounts_ = system_.energy_accounts();
  start_ = system_.energy(start.t, start.q, start.v);
  step_start_ = start.t;
  node_ = State::of_size(system_.coordinates(), system_.rows());
  if (accounts_ != nullptr) accounts_->potential_energies(start.t, start.q, potentials_at_start_);
  // A system that does not report its accounts has one for all its work.
  const std::size_t works = accounts_ != nullptr ? accounts_->works().size() : system_.has_input_power() ? 1 : 0;
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
  add_work(step_start_, t, step, -1.0, most_halvings, work);
}

// What a driver moves takes long steps however fast its power changes: halves until the rule sees it. A negative error
// is allowed that of a whole step.
void EnergyLedger::add_work(double from, double to, Integrator& step, double allowed, int halvings, Vector& work) {
  static const Matrix last = last_terms();
  const double half = 0.5 * (to - from);
  at_nodes_.resize(work.size(), eight);
  for (Eigen::Index i = 0; i < eight; ++i) {
    update_rates(from + half * (1.0 + nodes[static_cast<std::size_t>(i)]), step);
    at_nodes_.col(i) = rates_;
  }
  largest_ = at_nodes_.cwiseAbs().rowwise().maxCoeff();
  last_.noalias() = at_nodes_ * last;
  const double length = 2.0 * std::abs(half);
  if (allowed < 0.0) allowed = tolerance_ * std::max(size_, length * largest_.sum());
  if (halvings == 0 || !(length * quadrature_error(last_, largest_) > allowed)) {
    for (Eigen::Index i = 0; i < eight; ++i)
      work += half * gauss_weights[static_cast<std::size_t>(i)] * at_nodes_.col(i);
    return;
  }
  add_work(from, from + half, step, 0.5 * allowed, halvings - 1, work);
  add_work(from + half, to, step, 0.5 * allowed, halvings - 1, work);
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
    largest_ = power_.cwiseAbs().rowwise().maxCoeff();
    const double length = std::abs(h);
    series_serves_ = !(length * quadrature_error(power_.rightCols(2), largest_) >
                       tolerance_ * std::max(size_, length * largest_.sum()));
  }
  if (!series_serves_) return add_work_since_step_start(t, step, work);
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
  const Entry now = entry(state, step);
  size_ = std::max(size_, now.kinetic + std::abs(now.potential - start_.potential) + work_.cwiseAbs().sum());
  return now;
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

#include "mechanism/large/large_accounts.h"

#include <utility>

#include "base/linear/index.h"

namespace raak {

LargeAccounts::LargeAccounts(std::shared_ptr<const LargeEvaluation> evaluation, const std::vector<Row>& rows)
    : evaluation_(std::move(evaluation)) {
  using Kind = EnergyAccount::Kind;
  const Instance& instance = *evaluation_->instance();
  for (int i = 0; i < instance.dimensions(); ++i) falls_ = falls_ || instance.gravity()[i].pinned_sign() != 0;
  if (falls_) potentials_.push_back({Kind::potential, "gravity"});
  const std::vector<ForceElement>& forces = evaluation_->elements().forces;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const ForceKernels& kernels = *forces[i].kernels;
    const std::string& name = instance.mechanism().forces[forces[i].force].name;
    const auto works = [&](Kind kind, const std::string& whose, double ForceEnergy::*value) {
      works_.push_back({kind, whose});
      worked_.push_back({i, value});
    };
    if (kernels.stores) {
      potentials_.push_back({Kind::potential, name});
      stored_.push_back({i, &ForceEnergy::potential});
    }
    if (kernels.is_moved) works(Kind::input, name + ", moved", &ForceEnergy::moved);
    if (kernels.puts_in) works(Kind::input, name, &ForceEnergy::input);
    if (kernels.dissipates) works(Kind::dissipation, name, &ForceEnergy::dissipation);
  }
  for (const int row : evaluation_->moving_rows()) works_.push_back({Kind::driver, rows[z(row)].name()});
}

double LargeAccounts::gravity(const Vector& q) const {
  const Instance& instance = *evaluation_->instance();
  double sum = 0.0;
  for (const Body& body : instance.bodies()) {
    if (body.ground || body.counter) continue;
    for (int i = 0; i < instance.dimensions(); ++i)
      sum -= body.mass.now() * instance.gravity()[i].now() * q[body.first + i];
  }
  return sum;
}

void LargeAccounts::potential_energies(double t, const Vector& q, Vector& energies) const {
  thread_local std::vector<ForceEnergy> found;
  energies.resize(static_cast<Eigen::Index>(potentials_.size()));
  Eigen::Index next = 0;
  if (falls_) energies[next++] = gravity(q);
  if (stored_.empty()) return;
  evaluation_->force_energies(t, q.data(), q.data(), found);
  for (const Part& part : stored_) energies[next++] = found[part.element].*part.value;
}

void LargeAccounts::work_rates(const State& state, Vector& rates) const {
  thread_local std::vector<ForceEnergy> found;
  thread_local std::vector<double> powers;
  rates.resize(static_cast<Eigen::Index>(works_.size()));
  Eigen::Index next = 0;
  if (!worked_.empty()) evaluation_->force_energies(state.t, state.q.data(), state.v.data(), found);
  for (const Part& part : worked_) rates[next++] = found[part.element].*part.value;
  const std::vector<int>& moving = evaluation_->moving_rows();
  if (moving.empty()) return;
  powers.resize(static_cast<std::size_t>(state.lambda.size()));
  evaluation_->row_powers(state.t, state.q.data(), state.v.data(), state.lambda.data(), powers.data());
  for (const int row : moving) rates[next++] = powers[z(row)];
}

double LargeAccounts::potential(double t, const Vector& q) const {
  thread_local Vector energies;
  potential_energies(t, q, energies);
  return energies.sum();
}

}  // namespace raak

#include "system/recorded/recorded_accounts.h"

#include "base/tape/derivative.h"

namespace raak {
namespace {

using Kind = EnergyAccount::Kind;

}  // namespace

RecordedAccounts::RecordedAccounts(const Formulas& formulas, const ConstrainedSystem& system) {
  const PreparationTimer timer;
  Tape tape;
  const Tape::Recording recording(tape);
  RecordedState x;
  x.t = tape.new_input(0);
  for (int i = 0; i < system.coordinates(); ++i) x.q.push_back(tape.new_input(1));
  for (int i = 0; i < system.coordinates(); ++i) x.v.push_back(tape.new_input(2));
  for (int i = 0; i < system.rows(); ++i) x.lambda.push_back(tape.new_input(3));
  const Recorded unit = formulas.energy_unit();
  const auto add = [&](Kind kind, const std::string& name, const Recorded& rate) {
    if (closed_form_ || rate.is_zero()) return;
    works_.push_back({kind, name});
    tape.add_output(1, unit * rate);
  };
  closed_form_ = formulas.input_energy(x.t, x.q).has_value();
  for (const EnergyTerm& term : formulas.energy_terms(x.t, x.q, x.v)) {
    if (term.account.kind != Kind::potential) {
      if (closed_form_) works_.push_back(term.account);
      else add(term.account.kind, term.account.name, term.value);
      continue;
    }
    potentials_.push_back(term.account);
    tape.add_output(0, unit * term.value);
    add(Kind::input, term.account.name + ", moved", derivative_along({term.value}, {x.t}, {Recorded(1.0)}).front());
  }
  Reals held;
  formulas.constraint(x.t, x.q, held);
  held = derivative_along(held, {x.t}, {Recorded(1.0)});
  formulas.velocity_constraint(x.t, x.q, Reals(x.q.size(), Recorded(0.0)), held);
  for (std::size_t i = 0; i < held.size(); ++i)
    add(Kind::driver, system.description().constraints[i].name(), held[i] * x.lambda[i]);
  kernel_ = std::make_unique<Kernel>(tape);
  still_ = Vector::Zero(system.coordinates() + system.rows());
}

void RecordedAccounts::evaluate(double t, const double* q, const double* v, const double* lambda, double* energies,
                                double* rates) const {
  const double* const in[4] = {&t, q, v, lambda};
  double* const out[2] = {energies, rates};
  if (!potentials_.empty() || !works_.empty()) kernel_->run_one(in, out);
}

void RecordedAccounts::potential_energies(double t, const Vector& q, Vector& energies) const {
  thread_local Vector rates;
  energies.resize(static_cast<Eigen::Index>(potentials_.size()));
  rates.resize(static_cast<Eigen::Index>(works_.size()));
  evaluate(t, q.data(), still_.data(), still_.data(), energies.data(), rates.data());
}

void RecordedAccounts::work_rates(const State& x, Vector& rates) const {
  thread_local Vector energies;
  energies.resize(static_cast<Eigen::Index>(potentials_.size()));
  rates.resize(static_cast<Eigen::Index>(works_.size()));
  evaluate(x.t, x.q.data(), x.v.data(), x.lambda.data(), energies.data(), rates.data());
}

}  // namespace raak

// The energy of equations written by hand, part by part. A problem may split its potential in potentials(t, q), an
// array, and name its parts in energy_names(); each row that moves in time has an account of its own.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "base/jet.h"
#include "system/constrained_system.h"
#include "system/energy_accounts.h"
#include "system/equations/equation_terms.h"

namespace raak {

struct EnergyNames {
  std::vector<std::string> potentials = {"potential"};
  std::string forces = "forces";  // of power() or input_energy()
  bool dissipative = false;       // they only take energy
};

template <class Problem>
class EquationAccounts final : public EnergyAccounts {
  using Terms = EquationTerms<Problem>;
  static constexpr int n = Terms::n;
  static constexpr int mp = Terms::mp;
  static constexpr int mv = Terms::mv;
  template <class Real>
  using Q = Column<Real, n>;
  using Kind = EnergyAccount::Kind;

 public:
  EquationAccounts(const Problem& problem, const Description& description) : terms_{problem} {
    if constexpr (requires { problem.energy_unit(); }) unit_ = problem.energy_unit();
    EnergyNames names;
    if constexpr (requires { problem.energy_names(); }) names = problem.energy_names();
    for (const std::string& name : names.potentials)
      if (has_potential()) potentials_.push_back({Kind::potential, name});
    if constexpr (requires { problem.input_energy(0.0, Q<double>{}); }) {
      closed_form_ = true;
      works_.push_back({Kind::input, names.forces});
      return;
    }
    if constexpr (requires { problem.power(0.0, Q<double>{}, Q<double>{}); })
      works_.push_back({names.dissipative ? Kind::dissipation : Kind::input, names.forces});
    for (const EnergyAccount& account : potentials_) works_.push_back({Kind::input, account.name + ", moved"});
    for (int i = 0; i < mp + mv; ++i)
      works_.push_back({Kind::driver, description.constraints[static_cast<std::size_t>(i)].name()});
  }

  void potential_energies(double t, const Vector& q, Vector& energies) const override {
    energies.resize(static_cast<Eigen::Index>(potentials_.size()));
    Q<double> at{};
    for (int i = 0; i < n; ++i) at[static_cast<std::size_t>(i)] = q[i];
    parts(t, at, [&](Eigen::Index i, double value) { energies[i] = unit_ * value; });
  }

  void work_rates(const State& state, Vector& rates) const override {
    rates.resize(static_cast<Eigen::Index>(works_.size()));
    Eigen::Index next = 0;
    Q<double> q{}, v{};
    for (int i = 0; i < n; ++i) {
      q[static_cast<std::size_t>(i)] = state.q[i];
      v[static_cast<std::size_t>(i)] = state.v[i];
    }
    if constexpr (requires { terms_.problem.power(state.t, q, v); })
      rates[next++] = unit_ * terms_.problem.power(state.t, q, v);
    using Moving = Jet<double, 1>;
    Q<Moving> fixed{}, still{};
    for (std::size_t i = 0; i < q.size(); ++i) fixed[i] = Moving::constant(q[i]);
    const Moving time = Moving::variable(state.t, 0);
    parts(time, fixed, [&](Eigen::Index, const Moving& value) { rates[next++] = unit_ * value.partial[0]; });
    const Column<Moving, mp> g = terms_.template constraint<Moving>(time, fixed);
    for (int i = 0; i < mp; ++i) rates[next++] = unit_ * state.lambda[i] * g[static_cast<std::size_t>(i)].partial[0];
    if constexpr (mv > 0) {
      Column<Moving, mv> c{};
      terms_.problem.velocity_constraint(time, fixed, still, c);
      for (int i = 0; i < mv; ++i) rates[next++] = unit_ * state.lambda[mp + i] * c[static_cast<std::size_t>(i)].value;
    }
  }

 private:
  static constexpr bool has_potential() {
    return requires(Problem p) {
      p.potential(0.0, Q<double>{});
    };
  }
  // Calls use(i, value) for each part of the potential.
  template <class Real, class Use>
  void parts(const Real& t, const Q<Real>& q, const Use& use) const {
    if constexpr (requires { terms_.problem.potentials(t, q); }) {
      Eigen::Index i = 0;
      for (const auto& value : terms_.problem.potentials(t, q)) use(i++, Real(value));
    } else if constexpr (requires { terms_.problem.potential(t, q); }) {
      use(0, Real(terms_.problem.potential(t, q)));
    }
  }

  Terms terms_;
  double unit_ = 1.0;
};

}  // namespace raak

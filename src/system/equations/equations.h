// Turns equations written once over a scalar type into a ConstrainedSystem. A user writes one struct:
//
//   struct Pendulum {
//     static constexpr int coordinates = 2, constraints = 1;
//     void mass(const auto& t, const auto& q, auto& M) const;                       // M(i,j), starts at zero
//     void force(const auto& t, const auto& q, const auto& v, auto& f) const;       // f[i], starts at zero
//     void constraint(const auto& t, const auto& q, auto& g) const;                 // g[i]
//   };
//
// and, if it has them: `velocity_constraints` and velocity_constraint(t, q, v, c) for non-holonomic rows; potential(t,
// q), power(t, q, v) of forces that are not in the potential, input_energy(t, q) where that work is known in closed
// form, energy_unit() if the equations are scaled, energy_names() and potentials(t, q) to tell its parts
// (equation_accounts.h); output(state, values); description(). Everything else is derived by
// jets (equation_terms.h). Mark long formulas RAAK_INLINE so that they are compiled for the widest lanes of the
// machine. Formulas may call sin, cos, tan, atan2, exp, log, sqrt, tanh and pow(x, number), unqualified. abs, min and
// max are not among them: their kinks are known to model files alone, and tanh(x / small) rounds them.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "system/equations/equation_accounts.h"
#include "system/equations/equation_formulas.h"
#include "system/recorded/kernel_system.h"

namespace raak {

template <class Problem>
class Equations final : public KernelSystem {
  using Terms = EquationTerms<Problem>;
  static constexpr int n = Terms::n;
  static constexpr int mp = Terms::mp;
  static constexpr int mv = Terms::mv;
  static constexpr int m = Terms::m;
  template <class Real>
  using Q = Column<Real, n>;

 public:
  explicit Equations(Problem problem) : Equations(std::make_shared<EquationFormulas<Problem>>(std::move(problem))) {}

  void mass(double t, const Vector& q, Matrix& M) const override {
    copy(terms_.template mass<double>(t, read<double>(q.data())), n, M);
  }
  void force(double t, const Vector& q, const Vector& v, Vector& f) const override {
    write(terms_.template force<double>(t, read<double>(q.data()), read<double>(v.data())), f.data());
  }
  void constraint(double t, const Vector& q, Vector& g) const override {
    write(terms_.template constraint<double>(t, read<double>(q.data())), g.data());
  }
  void velocity_constraint(double t, const Vector& q, const Vector& v, Vector& c_all) const override {
    write(terms_.template velocity_residual<double>(t, read<double>(q.data()), read<double>(v.data())), c_all.data());
  }
  void jacobian(double t, const Vector& q, Matrix& G) const override {
    copy(terms_.template jacobian<double>(t, read<double>(q.data())), m, G);
  }
  void acceleration_bias(double t, const Vector& q, const Vector& v, Vector& bias) const override {
    write(terms_.template bias<double>(t, read<double>(q.data()), read<double>(v.data())), bias.data());
  }
  void force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q, Matrix& f_v) const override {
    using Both = Jet<double, 2 * n>;
    Q<Both> qs, vs;
    for (int i = 0; i < n; ++i) {
      at(qs, i) = Both::variable(q[i], i);
      at(vs, i) = Both::variable(v[i], n + i);
    }
    const Q<Both> f = terms_.template force<Both>(Both(t), qs, vs);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        f_q(i, j) = at(at(f, i).partial, j);
        f_v(i, j) = at(at(f, i).partial, n + j);
      }
  }
  void inertia_stiffness(const State& state, Matrix& K) const override {
    using Outer = Jet<double, n>;
    Q<Outer> qs;
    for (int i = 0; i < n; ++i) at(qs, i) = Outer::variable(state.q[i], i);
    const auto M = terms_.template mass<Outer>(Outer(state.t), qs);
    const auto G = terms_.template jacobian<Outer>(Outer(state.t), qs);
    for (int i = 0; i < n; ++i) {
      Outer total(0.0);
      for (int j = 0; j < n; ++j) total += M(i, j) * state.a[j];
      for (int k = 0; k < m; ++k) total += G(k, i) * state.lambda[k];
      for (int j = 0; j < n; ++j) K(i, j) = at(total.partial, j);
    }
  }

  Energy energy(double t, const Vector& q, const Vector& v) const override {
    const Q<double> qs = read<double>(q.data());
    const auto M = terms_.template mass<double>(t, qs);
    double twice_kinetic = 0.0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) twice_kinetic += v[i] * M(i, j) * v[j];
    Energy e{0.5 * twice_kinetic, 0.0, 0.0};
    if constexpr (requires { problem().potential(t, qs); }) e.potential = problem().potential(t, qs);
    if constexpr (requires { problem().input_energy(t, qs); }) e.input = problem().input_energy(t, qs);
    return {unit() * e.kinetic, unit() * e.potential, unit() * e.input};
  }
  // power(t,q,v) + dV/dt|_q + lambda' [g_t; c - A v]: forces outside the potential, moving supports, drivers.
  double input_power(const State& state) const override {
    const Q<double> q = read<double>(state.q.data());
    const Q<double> v = read<double>(state.v.data());
    double power = 0.0;
    if constexpr (requires { problem().power(state.t, q, v); }) power += problem().power(state.t, q, v);
    using Moving = Jet<double, 1>;
    Q<Moving> fixed, still;
    for (int i = 0; i < n; ++i) at(fixed, i) = Moving::constant(at(q, i));
    const Moving time = Moving::variable(state.t, 0);
    if constexpr (requires { problem().potential(time, fixed); })
      power += Moving(problem().potential(time, fixed)).partial[0];
    const Column<Moving, mp> g = terms_.template constraint<Moving>(time, fixed);
    for (int i = 0; i < mp; ++i) power += state.lambda[i] * at(g, i).partial[0];
    if constexpr (mv > 0) {
      Column<Moving, mv> c{};
      problem().velocity_constraint(time, fixed, still, c);
      for (int i = 0; i < mv; ++i) power += state.lambda[mp + i] * at(c, i).value;
    }
    return unit() * power;
  }
  bool has_input_power() const override {
    return !requires(Problem p) {
      p.input_energy(0.0, Q<double>{});
    };
  }
  bool accounts_for_energy() const override {
    return requires(Problem p) {
      p.potential(0.0, Q<double>{});
    }
    || !has_input_power() || requires(Problem p) {
      p.power(0.0, Q<double>{}, Q<double>{});
    };
  }
  const EnergyAccounts* energy_accounts() const override { return &accounts_; }
  void evaluate_outputs(const State& state, Vector& values) const override {
    if constexpr (requires { problem().output(state, values); }) problem().output(state, values);
  }

 private:
  explicit Equations(const std::shared_ptr<const EquationFormulas<Problem>>& formulas)
      : KernelSystem(formulas, n, mp, mv, describe(formulas->terms().problem)), terms_(formulas->terms()) {}

  template <class Array>
  static RAAK_INLINE auto& at(Array& x, int i) {
    return x[static_cast<std::size_t>(i)];
  }
  template <class Real>
  static RAAK_INLINE Q<Real> read(const double* from) {
    Q<Real> x;
    for (int i = 0; i < n; ++i) at(x, i) = from[i];
    return x;
  }
  template <class Real, std::size_t N>
  static RAAK_INLINE void write(const std::array<Real, N>& x, double* to) {
    for (std::size_t i = 0; i < N; ++i) to[i] = x[i];
  }
  static void copy(const auto& from, int rows, Matrix& to) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < n; ++j) to(i, j) = from(i, j);
  }
  static Description describe(const Problem& problem) {
    if constexpr (requires { problem.description(); }) return problem.description();
    else return {};
  }
  const Problem& problem() const { return terms_.problem; }
  double unit() const {
    if constexpr (requires { problem().energy_unit(); }) return problem().energy_unit();
    else return 1.0;
  }

  const Terms& terms_;
  EquationAccounts<Problem> accounts_{terms_.problem, description()};
};

template <class Problem>
std::shared_ptr<const ConstrainedSystem> make_system(Problem problem) {
  return std::make_shared<Equations<Problem>>(std::move(problem));
}

}  // namespace raak

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
// form, energy_unit() if the equations are scaled; output(t, q, v, a, lambda, y); description(). Everything else (G,
// the velocity-quadratic and time terms, df/dq, df/dv, elimination, SIMD lanes) is derived here by jets (base/jet.h).
#pragma once
#include <concepts>
#include <memory>
#include <utility>

#include "base/jet.h"
#include "base/small_dense.h"
#include "system/constrained_system.h"

namespace raak {

template <class P>
constexpr int velocity_rows_of() {
  if constexpr (requires { P::velocity_constraints; }) return P::velocity_constraints;
  else return 0;
}

template <class Problem>
class Equations final : public ConstrainedSystem {
  static constexpr int n = Problem::coordinates;
  static constexpr int mp = Problem::constraints;
  static constexpr int mv = velocity_rows_of<Problem>();
  static constexpr int m = mp + mv;
  template <class Real>
  using Q = Column<Real, n>;

 public:
  explicit Equations(Problem problem) : ConstrainedSystem(n, mp, mv, describe(problem)), problem_(std::move(problem)) {}

  const Problem& problem() const { return problem_; }

  double accelerate(double t, const double* q, const double* v, double* a, double* lambda) const override {
    double pivot = 1.0;
    eliminate(t, read<double>(q), read<double>(v), a, lambda, pivot);
    return pivot;
  }
  void accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                        double* smallest_pivot) const override {
    static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (wide) accelerate_avx2(t, q, v, a, lambda, smallest_pivot);
    else accelerate_plain(t, q, v, a, lambda, smallest_pivot);
  }
  // The form that any x86-64 can run; public so that tests can compare the two.
  [[gnu::flatten]] void accelerate_plain(const double* t, const double* q, const double* v, double* a, double* lambda,
                                         double* smallest_pivot) const {
    in_lanes(t, q, v, a, lambda, smallest_pivot);
  }

  double correct_position(double t, double* q) const override {
    if constexpr (mp == 0) return 0.0;
    const Q<double> here = read<double>(q);
    const auto [g, G] = constraint_and_jacobian<double>(t, here);
    shift<mp>(q, t, here, position_part(G), g);
    return norm(g);
  }
  double correct_velocity(double t, const double* q, double* v) const override {
    if constexpr (m == 0) return 0.0;
    const Q<double> here = read<double>(q);
    const auto c = velocity_residual(t, here, read<double>(v));
    shift<m>(v, t, here, full_jacobian<double>(t, here), c);
    return norm(c);
  }

  void mass(double t, const Vector& q, Matrix& M) const override {
    const auto small = mass_matrix<double>(t, read<double>(q.data()));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) M(i, j) = small(i, j);
  }
  void force(double t, const Vector& q, const Vector& v, Vector& f) const override {
    write(force_vector<double>(t, read<double>(q.data()), read<double>(v.data())), f.data());
  }
  void constraint(double t, const Vector& q, Vector& g) const override {
    write(position_residual<double>(t, read<double>(q.data())), g.data());
  }
  void velocity_constraint(double t, const Vector& q, const Vector& v, Vector& c_all) const override {
    write(velocity_residual(t, read<double>(q.data()), read<double>(v.data())), c_all.data());
  }
  void jacobian(double t, const Vector& q, Matrix& G) const override {
    const auto small = full_jacobian<double>(t, read<double>(q.data()));
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) G(i, j) = small(i, j);
  }
  void acceleration_bias(double t, const Vector& q, const Vector& v, Vector& bias) const override {
    write(bias_vector<double>(t, read<double>(q.data()), read<double>(v.data())), bias.data());
  }
  void force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q, Matrix& f_v) const override {
    using Both = Jet<double, 2 * n>;
    Q<Both> qs, vs, f;
    for (int i = 0; i < n; ++i) {
      at(qs, i) = Both::variable(q[i], i);
      at(vs, i) = Both::variable(v[i], n + i);
    }
    problem_.force(Both(t), qs, vs, f);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        f_q(i, j) = at(f, i).partial[static_cast<std::size_t>(j)];
        f_v(i, j) = at(f, i).partial[static_cast<std::size_t>(n + j)];
      }
  }
  void inertia_stiffness(const State& state, Matrix& K) const override {
    using Outer = Jet<double, n>;
    Q<Outer> qs;
    for (int i = 0; i < n; ++i) at(qs, i) = Outer::variable(state.q[i], i);
    const auto M = mass_matrix<Outer>(Outer(state.t), qs);
    const auto G = full_jacobian<Outer>(Outer(state.t), qs);
    for (int i = 0; i < n; ++i) {
      Outer sum(0.0);
      for (int j = 0; j < n; ++j) sum += M(i, j) * state.a[j];
      for (int k = 0; k < m; ++k) sum += G(k, i) * state.lambda[k];
      for (int j = 0; j < n; ++j) K(i, j) = sum.partial[static_cast<std::size_t>(j)];
    }
  }

  Energy energy(double t, const Vector& q, const Vector& v) const override {
    const Q<double> qs = read<double>(q.data());
    const auto M = mass_matrix<double>(t, qs);
    double twice_kinetic = 0.0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) twice_kinetic += v[i] * M(i, j) * v[j];
    Energy e{0.5 * twice_kinetic, 0.0, 0.0};
    if constexpr (requires { problem_.potential(t, qs); }) e.potential = problem_.potential(t, qs);
    if constexpr (requires { problem_.input_energy(t, qs); }) e.input = problem_.input_energy(t, qs);
    return {unit() * e.kinetic, unit() * e.potential, unit() * e.input};
  }
  // power(t,q,v) + dV/dt|_q + lambda' [g_t; c - A v]: forces outside the potential, moving supports, drivers.
  double input_power(const State& state) const override {
    const Q<double> q = read<double>(state.q.data());
    const Q<double> v = read<double>(state.v.data());
    double power = 0.0;
    if constexpr (requires { problem_.power(state.t, q, v); }) power += problem_.power(state.t, q, v);
    using Moving = Jet<double, 1>;
    Q<Moving> fixed, still;
    for (int i = 0; i < n; ++i) at(fixed, i) = Moving::constant(at(q, i));
    const Moving time = Moving::variable(state.t, 0);
    if constexpr (requires { problem_.potential(time, fixed); }) power += problem_.potential(time, fixed).partial[0];
    if constexpr (mp > 0) {
      Column<Moving, mp> g{};
      problem_.constraint(time, fixed, g);
      for (int i = 0; i < mp; ++i) power += state.lambda[i] * at(g, i).partial[0];
    }
    if constexpr (mv > 0) {
      Column<Moving, mv> c{};
      problem_.velocity_constraint(time, fixed, still, c);
      for (int i = 0; i < mv; ++i) power += state.lambda[mp + i] * at(c, i).value;
    }
    return unit() * power;
  }
  bool has_input_power() const override {
    return !requires {
      problem_.input_energy(0.0, Q<double>{});
    };
  }
  void evaluate_outputs(const State& state, Vector& values) const override {
    if constexpr (requires { problem_.output(state, values); }) problem_.output(state, values);
  }

 private:
  template <class Real, std::size_t N>
  static RAAK_INLINE Real& at(std::array<Real, N>& x, int i) {
    return x[static_cast<std::size_t>(i)];
  }
  template <class Real, std::size_t N>
  static RAAK_INLINE const Real& at(const std::array<Real, N>& x, int i) {
    return x[static_cast<std::size_t>(i)];
  }
  template <class Real>
  static RAAK_INLINE Q<Real> read(const double* from) {
    Q<Real> x;
    for (int i = 0; i < n; ++i) {
      if constexpr (std::same_as<Real, Pack>) at(x, i) = Pack::load(from + lanes * i);
      else at(x, i) = from[i];
    }
    return x;
  }
  template <class Real, std::size_t N>
  static RAAK_INLINE void write(const std::array<Real, N>& x, double* to) {
    for (std::size_t i = 0; i < N; ++i) {
      if constexpr (std::same_as<Real, Pack>) x[i].store(to + lanes * i);
      else to[i] = x[i];
    }
  }
  template <std::size_t N>
  static double norm(const std::array<double, N>& x) {
    double sum = 0.0;
    for (const double e : x) sum += e * e;
    return std::sqrt(sum);
  }
  static Description describe(const Problem& problem) {
    if constexpr (requires { problem.description(); }) return problem.description();
    else return {};
  }
  double unit() const {
    if constexpr (requires { problem_.energy_unit(); }) return problem_.energy_unit();
    else return 1.0;
  }

  template <class Real>
  RAAK_INLINE Symmetric<Real, n> mass_matrix(const Real& t, const Q<Real>& q) const {
    Symmetric<Real, n> M;
    M.lower.fill(Real(0.0));
    problem_.mass(t, q, M);
    return M;
  }
  template <class Real>
  RAAK_INLINE Q<Real> force_vector(const Real& t, const Q<Real>& q, const Q<Real>& v) const {
    Q<Real> f;
    f.fill(Real(0.0));
    problem_.force(t, q, v, f);
    return f;
  }
  template <class Real>
  RAAK_INLINE Column<Real, mp> position_residual(const Real& t, const Q<Real>& q) const {
    Column<Real, mp> g{};
    if constexpr (mp > 0) problem_.constraint(t, q, g);
    return g;
  }
  template <class Real>
  RAAK_INLINE std::pair<Column<Real, mp>, Dense<Real, m, n>> constraint_and_jacobian(const Real& t,
                                                                                     const Q<Real>& q) const {
    using J = Jet<Real, n>;
    std::pair<Column<Real, mp>, Dense<Real, m, n>> result;
    if constexpr (mp > 0) {
      Q<J> qs;
      for (int i = 0; i < n; ++i) at(qs, i) = J::variable(at(q, i), i);
      Column<J, mp> g;
      problem_.constraint(J::constant(t), qs, g);
      for (int i = 0; i < mp; ++i) {
        at(result.first, i) = at(g, i).value;
        for (int j = 0; j < n; ++j) result.second(i, j) = at(g, i).partial[static_cast<std::size_t>(j)];
      }
    }
    return result;
  }
  template <class Real>
  RAAK_INLINE Dense<Real, m, n> full_jacobian(const Real& t, const Q<Real>& q) const {
    Dense<Real, m, n> G = constraint_and_jacobian<Real>(t, q).second;
    if constexpr (mv > 0) {
      using J = Jet<Real, n>;
      Q<J> qs, vs;
      for (int i = 0; i < n; ++i) {
        at(qs, i) = J::constant(at(q, i));
        at(vs, i) = J::variable(Real(0.0), i);
      }
      Column<J, mv> c;
      problem_.velocity_constraint(J::constant(t), qs, vs, c);
      for (int i = 0; i < mv; ++i)
        for (int j = 0; j < n; ++j) G(mp + i, j) = at(c, i).partial[static_cast<std::size_t>(j)];
    }
    return G;
  }
  static Dense<double, mp, n> position_part(const Dense<double, m, n>& G) {
    Dense<double, mp, n> top;
    for (int i = 0; i < mp; ++i)
      for (int j = 0; j < n; ++j) top(i, j) = G(i, j);
    return top;
  }
  // [g'; c] at (t, q, v).
  Column<double, m> velocity_residual(double t, const Q<double>& q, const Q<double>& v) const {
    Column<double, m> residual{};
    if constexpr (mp > 0) {
      const auto g = constraint_along(t, q, v);
      for (int i = 0; i < mp; ++i) at(residual, i) = at(g, i).d;
    }
    if constexpr (mv > 0) {
      Column<double, mv> c{};
      problem_.velocity_constraint(t, q, v, c);
      for (int i = 0; i < mv; ++i) at(residual, mp + i) = at(c, i);
    }
    return residual;
  }
  // g along the straight motion q + s v, t + s: its first and second derivative in s.
  template <class Real>
  RAAK_INLINE Column<Taylor<Real>, mp> constraint_along(const Real& t, const Q<Real>& q, const Q<Real>& v) const {
    using T = Taylor<Real>;
    Column<T, mp> g;
    Q<T> qs;
    for (int i = 0; i < n; ++i) at(qs, i) = T(at(q, i), at(v, i), Real(0.0));
    problem_.constraint(T(t, Real(1.0), Real(0.0)), qs, g);
    return g;
  }
  template <class Real>
  RAAK_INLINE Column<Real, m> bias_vector(const Real& t, const Q<Real>& q, const Q<Real>& v) const {
    Column<Real, m> bias{};
    if constexpr (mp > 0) {
      const auto g = constraint_along(t, q, v);
      for (int i = 0; i < mp; ++i) at(bias, i) = -at(g, i).dd;
    }
    if constexpr (mv > 0) {
      using J = Jet<Real, 1>;
      Q<J> qs, vs;
      for (int i = 0; i < n; ++i) {
        at(qs, i) = J::constant(at(q, i));
        at(qs, i).partial[0] = at(v, i);
        at(vs, i) = J::constant(at(v, i));
      }
      Column<J, mv> c;
      problem_.velocity_constraint(J::variable(t, 0), qs, vs, c);
      for (int i = 0; i < mv; ++i) at(bias, mp + i) = -at(c, i).partial[0];
    }
    return bias;
  }

  // W = M^-1 G' (its columns) and S = G W.
  template <class Real, int Rows>
  RAAK_INLINE static void schur(const Ldl<Real, n>& M, const Dense<Real, Rows, n>& G, std::array<Q<Real>, Rows>& W,
                                Symmetric<Real, Rows>& S) {
    for (int i = 0; i < Rows; ++i) {
      for (int j = 0; j < n; ++j) at(at(W, i), j) = G(i, j);
      M.solve(at(W, i));
      for (int k = 0; k <= i; ++k) {
        Real sum(0.0);
        for (int j = 0; j < n; ++j) sum += G(k, j) * at(at(W, i), j);
        S(i, k) = sum;
      }
    }
  }
  // M a + G' lambda = f, G a = bias by the Schur complement: S lambda = G M^-1 f - bias, a = M^-1 f - W lambda.
  template <class Real>
  RAAK_INLINE void eliminate(const Real& t, const Q<Real>& q, const Q<Real>& v, double* a, double* lambda,
                             Real& smallest_pivot) const {
    const Ldl<Real, n> M(mass_matrix<Real>(t, q));
    Q<Real> x = force_vector<Real>(t, q, v);
    M.solve(x);
    if constexpr (m > 0) {
      const Dense<Real, m, n> G = full_jacobian<Real>(t, q);
      std::array<Q<Real>, m> W;
      Symmetric<Real, m> S;
      schur<Real, m>(M, G, W, S);
      Column<Real, m> l = bias_vector<Real>(t, q, v);
      for (int i = 0; i < m; ++i) {
        Real sum = -at(l, i);
        for (int j = 0; j < n; ++j) sum += G(i, j) * at(x, j);
        at(l, i) = sum;
      }
      const Ldl<Real, m> factor(S);
      factor.solve(l);
      smallest_pivot = factor.smallest_pivot;
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) at(x, j) -= at(at(W, i), j) * at(l, i);
      write(l, lambda);
    }
    write(x, a);
  }
  // x -= M^-1 G' (G M^-1 G')^-1 residual
  template <int Rows>
  void shift(double* x, double t, const Q<double>& q, const Dense<double, Rows, n>& G,
             Column<double, Rows> residual) const {
    const Ldl<double, n> M(mass_matrix<double>(t, q));
    std::array<Q<double>, Rows> W;
    Symmetric<double, Rows> S;
    schur<double, Rows>(M, G, W, S);
    Ldl<double, Rows>(S).solve(residual);
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < n; ++j) x[j] -= at(at(W, i), j) * at(residual, i);
  }

  RAAK_INLINE void in_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                            double* smallest_pivot) const {
    Pack pivot(1.0);
    eliminate<Pack>(Pack::load(t), read<Pack>(q), read<Pack>(v), a, lambda, pivot);
    pivot.store(smallest_pivot);
  }
  [[gnu::target("avx2,fma"), gnu::flatten]] void accelerate_avx2(const double* t, const double* q, const double* v,
                                                                 double* a, double* lambda,
                                                                 double* smallest_pivot) const {
    in_lanes(t, q, v, a, lambda, smallest_pivot);
  }

  Problem problem_;
};

template <class Problem>
std::shared_ptr<const ConstrainedSystem> make_system(Problem problem) {
  return std::make_shared<Equations<Problem>>(std::move(problem));
}

}  // namespace raak

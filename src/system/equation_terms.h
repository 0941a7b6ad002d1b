// The terms of the equations of motion over any scalar type, derived from a problem's mass, force and constraint by
// jets:
//   G = [dg/dq; dc/dv], the velocity residual [g'; c], the bias of G v' = bias, the accelerations by elimination,
//   and the corrections that bring q and v back to the constraints, shortest in the metric of M.
// Instantiated for double and for packs of lanes by equations.h.
#pragma once
#include <array>
#include <utility>

#include "base/jet.h"
#include "base/small_dense.h"

namespace raak {

template <class Problem>
constexpr int velocity_rows_of() {
  if constexpr (requires { Problem::velocity_constraints; }) return Problem::velocity_constraints;
  else return 0;
}

template <class Problem>
struct EquationTerms {
  static constexpr int n = Problem::coordinates;
  static constexpr int mp = Problem::constraints;         // position rows
  static constexpr int mv = velocity_rows_of<Problem>();  // velocity rows
  static constexpr int m = mp + mv;
  template <class Real>
  using Q = Column<Real, n>;

  Problem problem;

  template <class Real>
  RAAK_INLINE Symmetric<Real, n> mass(const Real& t, const Q<Real>& q) const {
    Symmetric<Real, n> M;
    M.lower.fill(Real(0.0));
    problem.mass(t, q, M);
    return M;
  }
  template <class Real>
  RAAK_INLINE Q<Real> force(const Real& t, const Q<Real>& q, const Q<Real>& v) const {
    Q<Real> f;
    f.fill(Real(0.0));
    problem.force(t, q, v, f);
    return f;
  }
  template <class Real>
  RAAK_INLINE Column<Real, mp> constraint(const Real& t, const Q<Real>& q) const {
    Column<Real, mp> g{};
    if constexpr (mp > 0) problem.constraint(t, q, g);
    return g;
  }
  // g and dg/dq.
  template <class Real>
  RAAK_INLINE std::pair<Column<Real, mp>, Dense<Real, mp, n>> position_rows(const Real& t, const Q<Real>& q) const {
    std::pair<Column<Real, mp>, Dense<Real, mp, n>> rows;
    if constexpr (mp > 0) {
      using J = Jet<Real, n>;
      Q<J> qs;
      for (int i = 0; i < n; ++i) at(qs, i) = J::variable(at(q, i), i);
      Column<J, mp> g;
      problem.constraint(J::constant(t), qs, g);
      for (int i = 0; i < mp; ++i) {
        at(rows.first, i) = at(g, i).value;
        for (int j = 0; j < n; ++j) rows.second(i, j) = at(at(g, i).partial, j);
      }
    }
    return rows;
  }
  template <class Real>
  RAAK_INLINE Dense<Real, m, n> jacobian(const Real& t, const Q<Real>& q) const {
    Dense<Real, m, n> G;
    const Dense<Real, mp, n> top = position_rows<Real>(t, q).second;
    for (int i = 0; i < mp; ++i)
      for (int j = 0; j < n; ++j) G(i, j) = top(i, j);
    if constexpr (mv > 0) {
      using J = Jet<Real, n>;
      Q<J> qs, vs;
      for (int i = 0; i < n; ++i) {
        at(qs, i) = J::constant(at(q, i));
        at(vs, i) = J::variable(Real(0.0), i);
      }
      Column<J, mv> c;
      problem.velocity_constraint(J::constant(t), qs, vs, c);
      for (int i = 0; i < mv; ++i)
        for (int j = 0; j < n; ++j) G(mp + i, j) = at(at(c, i).partial, j);
    }
    return G;
  }
  // [g'; c]
  template <class Real>
  RAAK_INLINE Column<Real, m> velocity_residual(const Real& t, const Q<Real>& q, const Q<Real>& v) const {
    Column<Real, m> residual{};
    if constexpr (mp > 0) {
      const auto g = constraint_along(t, q, v);
      for (int i = 0; i < mp; ++i) at(residual, i) = at(g, i).d;
    }
    if constexpr (mv > 0) {
      Column<Real, mv> c{};
      problem.velocity_constraint(t, q, v, c);
      for (int i = 0; i < mv; ++i) at(residual, mp + i) = at(c, i);
    }
    return residual;
  }
  // G v' = bias: minus the velocity-quadratic and time terms of g'' and c'.
  template <class Real>
  RAAK_INLINE Column<Real, m> bias(const Real& t, const Q<Real>& q, const Q<Real>& v) const {
    Column<Real, m> b{};
    if constexpr (mp > 0) {
      const auto g = constraint_along(t, q, v);
      for (int i = 0; i < mp; ++i) at(b, i) = -at(g, i).dd;
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
      problem.velocity_constraint(J::variable(t, 0), qs, vs, c);
      for (int i = 0; i < mv; ++i) at(b, mp + i) = -at(c, i).partial[0];
    }
    return b;
  }

  template <class Real>
  struct Accelerations {
    Q<Real> a;
    Column<Real, m> lambda;
    Real smallest_pivot;
  };
  // M a + G' lambda = f, G a = bias by the Schur complement: S lambda = G M^-1 f - bias, a = M^-1 f - M^-1 G' lambda.
  template <class Real>
  RAAK_INLINE Accelerations<Real> accelerations(const Real& t, const Q<Real>& q, const Q<Real>& v) const {
    const Ldl<Real, n> M(mass<Real>(t, q));
    Accelerations<Real> result{force<Real>(t, q, v), {}, Real(1.0)};
    Q<Real>& x = result.a;
    M.solve(x);
    if constexpr (m > 0) {
      const Dense<Real, m, n> G = jacobian<Real>(t, q);
      Column<Real, m>& l = result.lambda;
      l = bias<Real>(t, q, v);
      for (int i = 0; i < m; ++i) {
        Real sum = -at(l, i);
        for (int j = 0; j < n; ++j) sum += G(i, j) * at(x, j);
        at(l, i) = sum;
      }
      const Schur<Real, m> schur(M, G);
      schur.solve(l, x);
      result.smallest_pivot = schur.factor.smallest_pivot;
    }
    return result;
  }

  // The elimination of the rows G by the Schur complement G M^-1 G'.
  template <class Real, int Rows>
  struct Schur {
    std::array<Q<Real>, Rows> W;  // columns of M^-1 G'
    Ldl<Real, Rows> factor;

    RAAK_INLINE Schur(const Ldl<Real, n>& M, const Dense<Real, Rows, n>& G) : factor(complement(M, G, W)) {}
    // l := (G M^-1 G')^-1 l and x := x - M^-1 G' l.
    RAAK_INLINE void solve(Column<Real, Rows>& l, Q<Real>& x) const {
      factor.solve(l);
      for (int i = 0; i < Rows; ++i)
        for (int j = 0; j < n; ++j) at(x, j) -= at(at(W, i), j) * at(l, i);
    }
    // The change of q (or v) that removes a residual of the rows to first order, shortest in the metric of M.
    RAAK_INLINE Q<Real> correction(Column<Real, Rows> residual) const {
      Q<Real> x;
      x.fill(Real(0.0));
      solve(residual, x);
      return x;
    }

   private:
    static RAAK_INLINE Symmetric<Real, Rows> complement(const Ldl<Real, n>& M, const Dense<Real, Rows, n>& G,
                                                        std::array<Q<Real>, Rows>& W) {
      Symmetric<Real, Rows> S;
      for (int i = 0; i < Rows; ++i) {
        for (int j = 0; j < n; ++j) at(at(W, i), j) = G(i, j);
        M.solve(at(W, i));
        for (int k = 0; k <= i; ++k) {
          Real sum(0.0);
          for (int j = 0; j < n; ++j) sum += G(k, j) * at(at(W, i), j);
          S(i, k) = sum;
        }
      }
      return S;
    }
  };

  // [g'; c] at q + dq, up to the square of dq.
  template <class Real>
  RAAK_INLINE Column<Real, m> velocity_residual_near(const Real& t, const Q<Real>& q, const Q<Real>& dq,
                                                     const Q<Real>& v) const {
    using J = Jet<Real, 1>;
    Q<J> qs, vs;
    for (int i = 0; i < n; ++i) {
      at(qs, i) = J::constant(at(q, i));
      at(qs, i).partial[0] = at(dq, i);
      at(vs, i) = J::constant(at(v, i));
    }
    const Column<J, m> there = velocity_residual<J>(J::constant(t), qs, vs);
    Column<Real, m> residual{};
    for (int i = 0; i < m; ++i) at(residual, i) = at(there, i).value + at(there, i).partial[0];
    return residual;
  }

  template <class Real, std::size_t N>
  static RAAK_INLINE Real& at(std::array<Real, N>& x, int i) {
    return x[static_cast<std::size_t>(i)];
  }
  template <class Real, std::size_t N>
  static RAAK_INLINE const Real& at(const std::array<Real, N>& x, int i) {
    return x[static_cast<std::size_t>(i)];
  }

 private:
  // g along the straight motion q + s v, t + s: its first and second derivative in s.
  template <class Real>
  RAAK_INLINE Column<Taylor<Real>, mp> constraint_along(const Real& t, const Q<Real>& q, const Q<Real>& v) const {
    using T = Taylor<Real>;
    Column<T, mp> g;
    Q<T> qs;
    for (int i = 0; i < n; ++i) at(qs, i) = T(at(q, i), at(v, i), Real(0.0));
    problem.constraint(T(t, Real(1.0), Real(0.0)), qs, g);
    return g;
  }
};

}  // namespace raak

// The terms of the equations of motion over any scalar type, derived from a problem's mass, force and constraint by
// jets:
//   G = [dg/dq; dc/dv], the velocity residual [g'; c] and the bias of G v' = bias.
// The tests compare what the tape derives (motion_terms.h) with it.
#pragma once
#include <array>
#include <utility>

#include "oracle/jet.h"
#include "oracle/small_dense.h"
#include "system/equations/equations.h"

namespace raak {

template <class Problem>
struct JetTerms {
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

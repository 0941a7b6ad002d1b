// Numbers that carry derivatives (forward differentiation), over any scalar type.
//   Jet<Real, N>   value and N first partial derivatives: Jacobians.
//   Taylor<Real>   value, first and second derivative along one curve: x(t) -> g(t, q(t)) gives g' and g'' at once.
// The chain rule of each elementary function is written once, in `rule`, and serves both.
// Griewank and Walther, Evaluating Derivatives, 2nd ed., SIAM 2008, chapters 3 and 13.
#pragma once
#include <array>
#include <cmath>

#include "base/pack.h"

namespace raak {

template <class Real, int N>
struct Jet {
  Real value{};
  std::array<Real, N> partial{};

  Jet() : value(0.0) { partial.fill(Real(0.0)); }
  // NOLINTNEXTLINE(google-explicit-constructor): constants appear in every formula
  RAAK_INLINE Jet(double constant) : value(constant) { partial.fill(Real(0.0)); }
  RAAK_INLINE static Jet constant(const Real& v) {
    Jet j;
    j.value = v;
    return j;
  }
  // The i-th independent variable.
  RAAK_INLINE static Jet variable(const Real& v, int i) {
    Jet j = constant(v);
    j.partial[static_cast<std::size_t>(i)] = Real(1.0);
    return j;
  }

  RAAK_INLINE Jet& operator+=(const Jet& o) { return *this = *this + o; }
  RAAK_INLINE Jet& operator-=(const Jet& o) { return *this = *this - o; }
  RAAK_INLINE Jet& operator*=(const Jet& o) { return *this = *this * o; }
  RAAK_INLINE Jet& operator/=(const Jet& o) { return *this = *this / o; }

  friend RAAK_INLINE Jet operator+(const Jet& a, const Jet& b) {
    return combine(a.value + b.value, a, b, [](const Real& x, const Real& y) { return x + y; });
  }
  friend RAAK_INLINE Jet operator-(const Jet& a, const Jet& b) {
    return combine(a.value - b.value, a, b, [](const Real& x, const Real& y) { return x - y; });
  }
  friend RAAK_INLINE Jet operator*(const Jet& a, const Jet& b) {
    return combine(a.value * b.value, a, b, [&](const Real& x, const Real& y) { return x * b.value + a.value * y; });
  }
  friend RAAK_INLINE Jet operator/(const Jet& a, const Jet& b) {
    const Real inverse = Real(1.0) / b.value;
    const Real quotient = a.value * inverse;
    return combine(quotient, a, b, [&](const Real& x, const Real& y) { return (x - quotient * y) * inverse; });
  }
  friend RAAK_INLINE Jet operator-(const Jet& a) { return Jet(0.0) - a; }
  friend RAAK_INLINE Jet operator+(double a, const Jet& b) { return Jet(a) + b; }
  friend RAAK_INLINE Jet operator-(double a, const Jet& b) { return Jet(a) - b; }
  friend RAAK_INLINE Jet operator*(double a, const Jet& b) { return b * a; }
  friend RAAK_INLINE Jet operator/(double a, const Jet& b) { return Jet(a) / b; }
  friend RAAK_INLINE Jet operator+(const Jet& a, double b) {
    Jet r = a;
    r.value = r.value + b;
    return r;
  }
  friend RAAK_INLINE Jet operator-(const Jet& a, double b) { return a + (-b); }
  friend RAAK_INLINE Jet operator*(const Jet& a, double b) {
    return combine(a.value * b, a, a, [b](const Real& x, const Real&) { return x * b; });
  }
  friend RAAK_INLINE Jet operator/(const Jet& a, double b) { return a * (1.0 / b); }

  template <class F>
  static RAAK_INLINE Jet combine(const Real& v, const Jet& a, const Jet& b, F&& f) {
    Jet r;
    r.value = v;
    for (std::size_t i = 0; i < N; ++i) r.partial[i] = f(a.partial[i], b.partial[i]);
    return r;
  }
  // f(a), given f and f' at the value of a.
  template <class Rule>
  static RAAK_INLINE Jet chain(const Rule& rule, const Jet& a) {
    return combine(rule.f, a, a, [&](const Real& x, const Real&) { return rule.d * x; });
  }
};

template <class Real>
struct Taylor {
  Real value{}, d{}, dd{};  // x, x', x''

  Taylor() : value(0.0), d(0.0), dd(0.0) {}
  // NOLINTNEXTLINE(google-explicit-constructor): constants appear in every formula
  RAAK_INLINE Taylor(double constant) : value(constant), d(0.0), dd(0.0) {}
  RAAK_INLINE Taylor(const Real& x, const Real& x1, const Real& x2) : value(x), d(x1), dd(x2) {}

  RAAK_INLINE Taylor& operator+=(const Taylor& o) { return *this = *this + o; }
  RAAK_INLINE Taylor& operator-=(const Taylor& o) { return *this = *this - o; }
  RAAK_INLINE Taylor& operator*=(const Taylor& o) { return *this = *this * o; }
  RAAK_INLINE Taylor& operator/=(const Taylor& o) { return *this = *this / o; }

  friend RAAK_INLINE Taylor operator+(const Taylor& a, const Taylor& b) {
    return {a.value + b.value, a.d + b.d, a.dd + b.dd};
  }
  friend RAAK_INLINE Taylor operator-(const Taylor& a, const Taylor& b) {
    return {a.value - b.value, a.d - b.d, a.dd - b.dd};
  }
  friend RAAK_INLINE Taylor operator*(const Taylor& a, const Taylor& b) {
    return {a.value * b.value, a.d * b.value + a.value * b.d, a.dd * b.value + 2.0 * (a.d * b.d) + a.value * b.dd};
  }
  friend RAAK_INLINE Taylor operator/(const Taylor& a, const Taylor& b) {
    const Real inverse = Real(1.0) / b.value;
    const Real x = a.value * inverse;
    const Real x1 = (a.d - x * b.d) * inverse;
    return {x, x1, (a.dd - 2.0 * (x1 * b.d) - x * b.dd) * inverse};
  }
  friend RAAK_INLINE Taylor operator-(const Taylor& a) { return {-a.value, -a.d, -a.dd}; }
  friend RAAK_INLINE Taylor operator+(double a, const Taylor& b) { return {a + b.value, b.d, b.dd}; }
  friend RAAK_INLINE Taylor operator-(double a, const Taylor& b) { return {a - b.value, -b.d, -b.dd}; }
  friend RAAK_INLINE Taylor operator*(double a, const Taylor& b) { return {a * b.value, a * b.d, a * b.dd}; }
  friend RAAK_INLINE Taylor operator/(double a, const Taylor& b) { return Taylor(a) / b; }
  friend RAAK_INLINE Taylor operator+(const Taylor& a, double b) { return b + a; }
  friend RAAK_INLINE Taylor operator-(const Taylor& a, double b) { return {a.value - b, a.d, a.dd}; }
  friend RAAK_INLINE Taylor operator*(const Taylor& a, double b) { return b * a; }
  friend RAAK_INLINE Taylor operator/(const Taylor& a, double b) { return (1.0 / b) * a; }

  // f(a), given f, f' and f'' at the value of a.
  template <class Rule>
  static RAAK_INLINE Taylor chain(const Rule& rule, const Taylor& a) {
    return {rule.f, rule.d * a.d, rule.dd * (a.d * a.d) + rule.d * a.dd};
  }
};

namespace rule {
// Value, first and second derivative of an elementary function.
template <class Real>
struct Derivatives {
  Real f, d, dd;
};
template <class Real>
RAAK_INLINE Derivatives<Real> of_sin(const Real& x) {
  const Real s = sin(x);
  return {s, cos(x), -s};
}
template <class Real>
RAAK_INLINE Derivatives<Real> of_cos(const Real& x) {
  const Real c = cos(x);
  return {c, -sin(x), -c};
}
template <class Real>
RAAK_INLINE Derivatives<Real> of_exp(const Real& x) {
  const Real e = exp(x);
  return {e, e, e};
}
template <class Real>
RAAK_INLINE Derivatives<Real> of_log(const Real& x) {
  const Real i = Real(1.0) / x;
  return {log(x), i, -(i * i)};
}
template <class Real>
RAAK_INLINE Derivatives<Real> of_sqrt(const Real& x) {
  const Real s = sqrt(x);
  const Real d = Real(0.5) / s;
  return {s, d, -0.5 * (d / x)};
}
template <class Real>
RAAK_INLINE Derivatives<Real> of_tanh(const Real& x) {
  const Real f = tanh(x);
  const Real d = (1.0 - f) * (1.0 + f);
  return {f, d, -2.0 * (f * d)};
}
template <class Real>
RAAK_INLINE Derivatives<Real> of_pow(const Real& x, double p) {
  return {pow(x, p), p * pow(x, p - 1.0), p * (p - 1.0) * pow(x, p - 2.0)};
}
}  // namespace rule

#define RAAK_ELEMENTARY(name)                                \
  template <class Real, int N>                               \
  RAAK_INLINE Jet<Real, N> name(const Jet<Real, N>& a) {     \
    return Jet<Real, N>::chain(rule::of_##name(a.value), a); \
  }                                                          \
  template <class Real>                                      \
  RAAK_INLINE Taylor<Real> name(const Taylor<Real>& a) {     \
    return Taylor<Real>::chain(rule::of_##name(a.value), a); \
  }
RAAK_ELEMENTARY(sin)
RAAK_ELEMENTARY(cos)
RAAK_ELEMENTARY(exp)
RAAK_ELEMENTARY(log)
RAAK_ELEMENTARY(sqrt)
RAAK_ELEMENTARY(tanh)
#undef RAAK_ELEMENTARY

template <class Real, int N>
RAAK_INLINE Jet<Real, N> pow(const Jet<Real, N>& a, double p) {
  return Jet<Real, N>::chain(rule::of_pow(a.value, p), a);
}
template <class Real>
RAAK_INLINE Taylor<Real> pow(const Taylor<Real>& a, double p) {
  return Taylor<Real>::chain(rule::of_pow(a.value, p), a);
}
// d atan2(y, x) = (x dy - y dx) / (x^2 + y^2)
template <class Real, int N>
RAAK_INLINE Jet<Real, N> atan2(const Jet<Real, N>& y, const Jet<Real, N>& x) {
  const Real inverse = Real(1.0) / (x.value * x.value + y.value * y.value);
  return Jet<Real, N>::combine(Real(atan2(y.value, x.value)), y, x,
                               [&](const Real& dy, const Real& dx) { return (x.value * dy - y.value * dx) * inverse; });
}
template <class Real>
RAAK_INLINE Taylor<Real> atan2(const Taylor<Real>& y, const Taylor<Real>& x) {
  const Real inverse = Real(1.0) / (x.value * x.value + y.value * y.value);
  const Real d = (x.value * y.d - y.value * x.d) * inverse;
  const Real radial = x.value * x.d + y.value * y.d;
  return {Real(atan2(y.value, x.value)), d, (x.value * y.dd - y.value * x.dd - 2.0 * (d * radial)) * inverse};
}

template <class Real, int N>
RAAK_INLINE Jet<Real, N> tan(const Jet<Real, N>& a) {
  return sin(a) / cos(a);
}
template <class Real>
RAAK_INLINE Taylor<Real> tan(const Taylor<Real>& a) {
  return sin(a) / cos(a);
}

}  // namespace raak

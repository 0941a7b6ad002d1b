#include "methods/collocation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

namespace raak {
namespace {

using Real = long double;
constexpr Real pi = 3.14159265358979323846264338327950288L;

struct Value {
  Real p, d;  // P_n(x) and its derivative
};

Value legendre_polynomial(int n, Real x) {
  if (n == 0) return {1.0L, 0.0L};
  Real before = 1.0L;
  Real p = x;
  for (int k = 2; k <= n; ++k) {
    const Real next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
    before = p;
    p = next;
  }
  return {p, n * (before - x * p) / (1.0L - x * x)};
}

// Zeros of P_s (Gauss) or of P_s - P_(s-1) (Radau, which has x = 1 among them), ascending, by deflated Newton.
std::vector<Real> nodes(Collocation::Kind kind, int s) {
  const bool radau = kind == Collocation::Kind::radau;
  std::vector<Real> x;
  for (int i = 0; i < (radau ? s - 1 : s); ++i) {
    Real z = -std::cos(pi * (static_cast<Real>(i) + 0.75L) / (static_cast<Real>(s) + (radau ? 0.0L : 0.5L)));
    for (int iteration = 0; iteration < 100; ++iteration) {
      Value f = legendre_polynomial(s, z);
      if (radau) {
        const Value lower = legendre_polynomial(s - 1, z);
        f = {f.p - lower.p, f.d - lower.d};
      }
      Real found = radau ? 1.0L / (z - 1.0L) : 0.0L;
      for (const Real zero : x) found += 1.0L / (z - zero);
      const Real step = f.p / (f.d - f.p * found);
      z -= step;
      if (std::abs(step) < 1e-15L) break;  // its square is what is still missing
    }
    x.push_back(z);
  }
  if (radau) x.push_back(1.0L);
  std::sort(x.begin(), x.end());
  return x;
}

Real lagrange(const std::vector<Real>& c, std::size_t j, Real t) {
  Real product = 1.0L;
  for (std::size_t k = 0; k < c.size(); ++k)
    if (k != j) product *= (t - c[k]) / (c[j] - c[k]);
  return product;
}

}  // namespace

Collocation::Collocation(Kind kind, int stages) : s(stages) {
  const auto size = static_cast<std::size_t>(s);
  std::vector<Real> node = nodes(kind, s);
  for (Real& x : node) x = 0.5L * (x + 1.0L);
  // Gauss quadrature with s + 2 points integrates every product below exactly.
  std::vector<Real> x = nodes(Kind::gauss, s + 2);
  std::vector<Real> w;
  for (Real& z : x) {
    const Real d = legendre_polynomial(s + 2, z).d;
    w.push_back(1.0L / ((1.0L - z * z) * d * d));
    z = 0.5L * (z + 1.0L);
  }
  A.resize(size * size);
  AA.resize(size * size);
  legendre.resize(size * size);
  for (std::size_t j = 0; j < size; ++j) {
    c.push_back(static_cast<double>(node[j]));
    Real once = 0.0L;
    Real twice = 0.0L;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const Real l = w[k] * lagrange(node, j, x[k]);
      once += l;
      twice += l * (1.0L - x[k]);
    }
    b.push_back(static_cast<double>(once));
    bb.push_back(static_cast<double>(twice));
    for (std::size_t i = 0; i < size; ++i) {
      once = twice = 0.0L;
      Real coefficient = 0.0L;
      for (std::size_t k = 0; k < x.size(); ++k) {
        const Real t = x[k] * node[i];
        const Real l = w[k] * node[i] * lagrange(node, j, t);
        once += l;
        twice += l * (node[i] - t);
        coefficient += w[k] * lagrange(node, j, x[k]) * legendre_polynomial(static_cast<int>(i), 2.0L * x[k] - 1.0L).p;
      }
      A[i * size + j] = static_cast<double>(once);
      AA[i * size + j] = static_cast<double>(twice);
      legendre[i * size + j] = static_cast<double>((2.0L * static_cast<Real>(i) + 1.0L) * coefficient);
    }
  }
}

const Collocation& collocation_rule(Collocation::Kind kind, int stages) {
  static std::mutex mutex;
  static std::map<std::pair<Collocation::Kind, int>, Collocation> rules;
  const std::lock_guard lock(mutex);
  const std::pair key{kind, stages};
  const auto known = rules.find(key);
  return known != rules.end() ? known->second : rules.try_emplace(key, kind, stages).first->second;
}

}  // namespace raak

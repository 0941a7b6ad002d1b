#include "methods/collocation/collocation.h"

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

// The Lagrange polynomials of the nodes c at t, by the barycentric formula.
class LagrangePolynomials {
 public:
  explicit LagrangePolynomials(const std::vector<Real>& c) : c_(c), weight_(c.size(), 1.0L), value_(c.size()) {
    for (std::size_t j = 0; j < c.size(); ++j)
      for (std::size_t k = 0; k < c.size(); ++k)
        if (k != j) weight_[j] /= c[j] - c[k];
  }
  const std::vector<Real>& at(Real t) {
    Real product = 1.0L;
    for (const Real node : c_) product *= t - node;
    for (std::size_t j = 0; j < c_.size(); ++j)
      value_[j] = product != 0.0L ? weight_[j] * product / (t - c_[j]) : t == c_[j] ? 1.0L : 0.0L;
    return value_;
  }

 private:
  const std::vector<Real>& c_;
  std::vector<Real> weight_, value_;
};

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
  LagrangePolynomials lagrange(node);
  std::vector<Real> once(size), twice(size);
  const auto clear = [&] {
    std::fill(once.begin(), once.end(), 0.0L);
    std::fill(twice.begin(), twice.end(), 0.0L);
  };
  clear();
  std::vector<Real> coefficient(size * size, 0.0L);
  for (std::size_t k = 0; k < x.size(); ++k) {
    const std::vector<Real>& l = lagrange.at(x[k]);
    for (std::size_t i = 0; i < size; ++i) {
      once[i] += w[k] * l[i];
      twice[i] += w[k] * l[i] * (1.0L - x[k]);
      const Real p = w[k] * legendre_polynomial(static_cast<int>(i), 2.0L * x[k] - 1.0L).p;
      for (std::size_t j = 0; j < size; ++j) coefficient[i * size + j] += p * l[j];
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    c.push_back(static_cast<double>(node[i]));
    b.push_back(static_cast<double>(once[i]));
    bb.push_back(static_cast<double>(twice[i]));
  }
  for (std::size_t i = 0; i < size; ++i) {
    clear();
    for (std::size_t k = 0; k < x.size(); ++k) {
      const Real t = x[k] * node[i];
      const std::vector<Real>& l = lagrange.at(t);
      for (std::size_t j = 0; j < size; ++j) {
        once[j] += w[k] * node[i] * l[j];
        twice[j] += w[k] * node[i] * l[j] * (node[i] - t);
      }
    }
    for (std::size_t j = 0; j < size; ++j) {
      A[i * size + j] = static_cast<double>(once[j]);
      AA[i * size + j] = static_cast<double>(twice[j]);
      legendre[i * size + j] = static_cast<double>((2.0L * static_cast<Real>(i) + 1.0L) * coefficient[i * size + j]);
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

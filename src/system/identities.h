// Identities that any constrained system obeys, measured by difference quotients: the checks that tests apply to
// equations written by hand. Each function returns a relative discrepancy, 0 for perfect equations in perfect
// arithmetic. Quotient of fourth order: f'(0) = (8 [f(s) - f(-s)] - [f(2s) - f(-2s)]) / 12 s.
#pragma once
#include <algorithm>
#include <cmath>

#include "base/linear/linear.h"
#include "system/constrained_system.h"

namespace raak::identities {

template <class F>
auto derivative(F&& f, double s) {
  using Value = std::decay_t<decltype(f(s))>;
  const Value near = f(s) - f(-s), far = f(2.0 * s) - f(-2.0 * s);
  return Value((8.0 * near - far) / (12.0 * s));
}

inline double discrepancy(const Matrix& found, const Matrix& expected) {
  const double scale = std::max(1e-300, expected.cwiseAbs().maxCoeff());
  return (found - expected).cwiseAbs().maxCoeff() / scale;
}

// d f(x) / dx, column by column.
template <class F>
Matrix quotients(F&& f, const Vector& x, double s) {
  Matrix columns(f(x).size(), x.size());
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    columns.col(j) = derivative(
        [&](double step) -> Vector {
          Vector moved = x;
          moved[j] += step;
          return f(moved);
        },
        s);
  }
  return columns;
}

constexpr double position_step = 1e-3;

// A time in which the state moves little.
inline double time_step(const State& x) {
  return 3e-4 / (1.0 + x.v.cwiseAbs().maxCoeff() + std::sqrt(x.a.cwiseAbs().maxCoeff()));
}

inline Vector constraint_at(const ConstrainedSystem& system, double t, const Vector& q) {
  Vector g(system.position_rows());
  system.constraint(t, q, g);
  return g;
}
inline Vector velocity_residual_at(const ConstrainedSystem& system, double t, const Vector& q, const Vector& v) {
  Vector c(system.rows());
  system.velocity_constraint(t, q, v, c);
  return c;
}
inline Vector force_at(const ConstrainedSystem& system, double t, const Vector& q, const Vector& v) {
  Vector f(system.coordinates());
  system.force(t, q, v, f);
  return f;
}
inline Matrix mass_at(const ConstrainedSystem& system, double t, const Vector& q) {
  Matrix M(system.coordinates(), system.coordinates());
  system.mass(t, q, M);
  return M;
}
inline Matrix jacobian_at(const ConstrainedSystem& system, double t, const Vector& q) {
  Matrix G(system.rows(), system.coordinates());
  system.jacobian(t, q, G);
  return G;
}

// G = dg/dq
inline double jacobian(const ConstrainedSystem& system, const State& x) {
  const auto g = [&](const Vector& q) { return constraint_at(system, x.t, q); };
  return discrepancy(jacobian_at(system, x.t, x.q).topRows(system.position_rows()), quotients(g, x.q, position_step));
}

// bias = -d[g'; c]/ds along q + s v, t + s
inline double bias(const ConstrainedSystem& system, const State& x) {
  const Vector rate = derivative(
      [&](double s) -> Vector { return velocity_residual_at(system, x.t + s, x.q + s * x.v, x.v); }, time_step(x));
  Vector found(system.rows());
  system.acceleration_bias(x.t, x.q, x.v, found);
  const double scale = std::max({1e-6, rate.cwiseAbs().maxCoeff(), 1e-6 * x.v.squaredNorm()});
  return (found + rate).cwiseAbs().maxCoeff() / scale;
}

struct ForceDerivatives {
  double by_position, by_velocity;
};
inline ForceDerivatives force_derivatives(const ConstrainedSystem& system, const State& x) {
  const int n = system.coordinates();
  Matrix f_q(n, n), f_v(n, n);
  system.force_derivatives(x.t, x.q, x.v, f_q, f_v);
  const Matrix by_q = quotients([&](const Vector& q) { return force_at(system, x.t, q, x.v); }, x.q, position_step);
  const Matrix by_v = quotients([&](const Vector& v) { return force_at(system, x.t, x.q, v); }, x.v, 1.0);
  const double size = force_at(system, x.t, x.q, x.v).norm();
  return {(f_q - by_q).norm() / (by_q.norm() + size), (f_v - by_v).norm() / (by_v.norm() + size)};
}

// K = d(M a + G' lambda)/dq
inline double inertia_stiffness(const ConstrainedSystem& system, const State& x) {
  const int n = system.coordinates();
  Matrix K(n, n);
  system.inertia_stiffness(x, K);
  const auto reaction = [&](const Vector& q) -> Vector {
    return mass_at(system, x.t, q) * x.a + jacobian_at(system, x.t, q).transpose() * x.lambda;
  };
  const Matrix expected = quotients(reaction, x.q, position_step);
  return (K - expected).norm() / (expected.norm() + reaction(x.q).norm());
}

// d(T + V)/dt = power of drivers, dampers and external forces, along the motion of a state with [g'; c] = 0.
inline double power_balance(const ConstrainedSystem& system, const State& x) {
  const auto energy = [&](double s) {
    const Energy e = system.energy(x.t + s, x.q + s * x.v + 0.5 * s * s * x.a, x.v + s * x.a);
    return e.kinetic + e.potential - e.input;
  };
  const double input = system.has_input_power() ? system.input_power(x) : 0.0;
  const double s = time_step(x);
  const Energy now = system.energy(x.t, x.q, x.v);
  const double scale = std::abs(input) + (now.kinetic + std::abs(now.potential)) * x.v.norm();
  return std::abs(derivative(energy, s) - input) / (scale + 1e-300);
}

}  // namespace raak::identities

// The equations of motion of the slider crank with an elastic connecting rod: B. Simeon (Math. Modelling of Systems 2,
// 1996) as given in F. Mazzia and C. Magherini, Test Set for IVP Solvers, release 2.4 (2008), section II.19.2, with two
// corrections that its own numbers ask for: K_Delta(2,2) carries 2 pi^4/3 (printed pi^4/3), and -rho q'B q' is
// identically zero. The longitudinal block of M_Delta is that of the benchmark, without the factor 1/15 of the stated
// shape functions.
#pragma once
#include <array>
#include <numbers>

#include "system/equations/equations.h"

namespace raak {

struct SliderCrank {
  static constexpr int coordinates = 7, constraints = 3;

  // 19.2.2
  Live l1 = 0.15, l2 = 0.30, m1 = 0.36, m2 = 0.151104, m3 = 0.075552, J1 = 0.002727, J2 = 0.0045339259;
  Live h = 0.008, d = 0.008, rho = 7870.0, E = 2e11, gamma = 0.0, Omega = 150.0;
  double pi = std::numbers::pi;
  bool nonlinear = false, damped = false;

  // The entries of the matrices of 19.2.1 that are not zero, by the mode they belong to.
  struct Rod {
    Live mass, K11, K22, K33, K34, K44, k, beta;  // M_Delta / [1/2, 1/2, [8 1; 1 2]], K_Delta, k_Delta
    Live B13, B14, B24;                           // rho B, which is antisymmetric
    Live c1_3, c1_4, c2_1;                        // rho c1, rho c2
    Live c12_3, c12_4, c21_1, c21_2;              // rho c12, rho c21
  };
  Rod rod{};
  // D_Delta, "0.5 percent"
  static constexpr double D11 = 5.0, D22 = 25.0, D33 = 0.5 * 230.8375455264791, D34 = -0.5 * 262.6884879920526,
                          D44 = 0.5 * 421.7421837156818;

  void discretize_rod() {
    const Live area = d * h, volume = area * l2, pi3 = pi * pi * pi;
    const Live k = E * area / l2, bending = k * pi3 * pi * (h / l2) * (h / l2);
    const Live m = rho * volume;
    rod.mass = m;
    rod.K11 = bending / 24.0;
    rod.K22 = bending * 2.0 / 3.0;
    rod.K33 = k * 16.0 / 3.0;
    rod.K34 = -k * 8.0 / 3.0;
    rod.K44 = k * 7.0 / 3.0;
    rod.k = nonlinear ? 0.5 * pi * pi * k / l2 : 0.0;
    rod.beta = 80.0 / (9.0 * pi * pi);
    rod.B13 = -m * 16.0 / pi3;
    rod.B14 = m * (8.0 / pi3 - 1.0 / pi);
    rod.B24 = m * 0.5 / pi;
    rod.c1_3 = m * 2.0 / 3.0;
    rod.c1_4 = m / 6.0;
    rod.c2_1 = m * 2.0 / pi;
    rod.c12_3 = m * l2 / 3.0;
    rod.c12_4 = m * l2 / 6.0;
    rod.c21_1 = m * l2 / pi;
    rod.c21_2 = -m * l2 * 0.5 / pi;
  }

  // sin and cos of phi1, phi2, and by the addition theorem of phi1 - phi2: the four are needed in any case.
  template <class Real>
  struct Angles {
    Real sin1, cos1, sin2, cos2, S, C;
  };
  template <class Real>
  static Angles<Real> angles(const Real& phi1, const Real& phi2) {
    const Real sin1 = sin(phi1), cos1 = cos(phi1), sin2 = sin(phi2), cos2 = cos(phi2);
    return {sin1, cos1, sin2, cos2, sin1 * cos2 - cos1 * sin2, cos1 * cos2 + sin1 * sin2};
  }

  // M_Delta x
  template <class Real>
  std::array<Real, 4> rod_mass_times(const Real& x1, const Real& x2, const Real& x3, const Real& x4) const {
    const Live m = rod.mass;
    return {0.5 * m * x1, 0.5 * m * x2, m * (8.0 * x3 + x4), m * (x3 + 2.0 * x4)};
  }

  void mass(const auto&, const auto& q, auto& M) const {
    const auto& q1 = q[3];
    const auto& q2 = q[4];
    const auto& q3 = q[5];
    const auto& q4 = q[6];
    const auto a = angles(q[0], q[1]);
    const auto c1q = rod.c1_3 * q3 + rod.c1_4 * q4, c2q = rod.c2_1 * q1;
    const auto Mq = rod_mass_times(q1, q2, q3, q4);
    M(0, 0) = J1 + m2 * l1 * l1;
    M(1, 0) = l1 * (0.5 * l2 * m2 * a.C + a.C * c1q + a.S * c2q);
    M(1, 1) = J2 + (q1 * Mq[0] + q2 * Mq[1] + q3 * Mq[2] + q4 * Mq[3]) + 2.0 * (rod.c12_3 * q3 + rod.c12_4 * q4);
    M(2, 2) = m3;
    M(3, 0) = (l1 * rod.c2_1) * a.C;
    M(5, 0) = -(l1 * rod.c1_3) * a.S;
    M(6, 0) = -(l1 * rod.c1_4) * a.S;
    M(3, 1) = rod.c21_1 - rod.B13 * q3 - rod.B14 * q4;
    M(4, 1) = rod.c21_2 - rod.B24 * q4;
    M(5, 1) = rod.B13 * q1;
    M(6, 1) = rod.B14 * q1 + rod.B24 * q2;
    M(3, 3) = M(4, 4) = 0.5 * rod.mass;
    M(5, 5) = 8.0 * rod.mass;
    M(6, 5) = rod.mass;
    M(6, 6) = 2.0 * rod.mass;
  }

  void force(const auto&, const auto& q, const auto& v, auto& f) const {
    const auto& q1 = q[3];
    const auto& q2 = q[4];
    const auto& q3 = q[5];
    const auto& q4 = q[6];
    const auto a = angles(q[0], q[1]);
    const auto c1q = rod.c1_3 * q3 + rod.c1_4 * q4, c2q = rod.c2_1 * q1;
    const auto c1v = rod.c1_3 * v[5] + rod.c1_4 * v[6], c2v = rod.c2_1 * v[3];
    const auto Mq = rod_mass_times(q1, q2, q3, q4);
    const auto vMq = v[3] * Mq[0] + v[4] * Mq[1] + v[5] * Mq[2] + v[6] * Mq[3];
    const auto first = l1 * v[0] * v[0], second = v[1] * v[1], twice = 2.0 * v[1];
    const auto swing = 0.5 * l2 * m2 * a.S + a.S * c1q - a.C * c2q;

    f[0] = -l1 * (second * swing + twice * (a.C * c1v + a.S * c2v)) - 0.5 * l1 * gamma * (m1 + 2.0 * m2) * a.cos1;
    f[1] = first * swing - twice * (rod.c12_3 * v[5] + rod.c12_4 * v[6] + vMq) -
           gamma * (0.5 * l2 * m2 * a.cos2 + a.cos2 * c1q - a.sin2 * c2q);
    f[3] = second * Mq[0] + rod.c2_1 * (first * a.S - gamma * a.cos2) + twice * (rod.B13 * v[5] + rod.B14 * v[6]);
    f[4] = second * Mq[1] + twice * (rod.B24 * v[6]);
    f[5] = second * (Mq[2] + rod.c12_3) + rod.c1_3 * (first * a.C - gamma * a.sin2) - twice * (rod.B13 * v[3]);
    f[6] = second * (Mq[3] + rod.c12_4) + rod.c1_4 * (first * a.C - gamma * a.sin2) -
           twice * (rod.B14 * v[3] + rod.B24 * v[4]);

    f[3] -= rod.K11 * q1;
    f[4] -= rod.K22 * q2;
    f[5] -= rod.K33 * q3 + rod.K34 * q4;
    f[6] -= rod.K34 * q3 + rod.K44 * q4;
    if (nonlinear) {
      const auto stretch = rod.beta * (2.0 * q4 - 4.0 * q3);
      f[3] -= rod.k * (q1 * q4 - q2 * stretch);
      f[4] -= rod.k * (4.0 * q2 * q4 - q1 * stretch);
      f[5] -= rod.k * (4.0 * rod.beta * q1 * q2);
      f[6] -= rod.k * (0.5 * q1 * q1 + 2.0 * q2 * q2 - 2.0 * rod.beta * q1 * q2);
    }
    if (damped) {
      f[3] -= D11 * v[3];
      f[4] -= D22 * v[4];
      f[5] -= D33 * v[5] + D34 * v[6];
      f[6] -= D34 * v[5] + D44 * v[6];
    }
  }

  void constraint(const auto& t, const auto& q, auto& g) const {
    const auto reach = l2 + q[6];
    g[0] = l1 * sin(q[0]) + reach * sin(q[1]);
    g[1] = q[2] - l1 * cos(q[0]) - reach * cos(q[1]);
    g[2] = q[0] - Omega * t;
  }

  // Of gravity and of the bent rod.
  template <class Real>
  std::array<Real, 2> potentials(const Real&, const auto& q) const {
    const auto& q1 = q[3];
    const auto& q2 = q[4];
    const auto& q3 = q[5];
    const auto& q4 = q[6];
    const auto a = angles(q[0], q[1]);
    const auto height = 0.5 * l1 * (m1 + 2.0 * m2) * a.sin1 + 0.5 * l2 * m2 * a.sin2 +
                        a.sin2 * (rod.c1_3 * q3 + rod.c1_4 * q4) + a.cos2 * (rod.c2_1 * q1);
    const auto linear =
        rod.K11 * q1 * q1 + rod.K22 * q2 * q2 + rod.K33 * q3 * q3 + 2.0 * rod.K34 * q3 * q4 + rod.K44 * q4 * q4;
    const auto coupling = 0.5 * q1 * q1 * q4 + 2.0 * q2 * q2 * q4 - rod.beta * q1 * q2 * (2.0 * q4 - 4.0 * q3);
    return {gamma * height, 0.5 * linear + rod.k * coupling};
  }
  EnergyNames energy_names() const { return {{"gravity", "bending of the rod"}, "damping of the rod", true}; }
  auto power(const auto&, const auto&, const auto& v) const {
    const double on = damped ? 1.0 : 0.0;
    return -on *
           (D11 * v[3] * v[3] + D22 * v[4] * v[4] + D33 * v[5] * v[5] + 2.0 * D34 * v[5] * v[6] + D44 * v[6] * v[6]);
  }

  Description description() const {
    return {{"phi1", "phi2", "x3", "q1", "q2", "q3", "q4"},
            {Row("end of the rod on the slider", "y", "m"), Row("end of the rod on the slider", "x", "m"),
             Row("drive of the crank", "", "rad")},
            {},
            {"rad", "rad", "m", "m", "m", "m", "m"}};
  }
};

}  // namespace raak

// Dense output of a collocation step. The collocation polynomial itself is only of the order of its degree, so it is
// refined when asked for: the accelerations over the step are solved for again at twice as many points, which resolves
// them to the accuracy of the end point. What is left at the end (projection, rounding) is spread by a cubic.
#pragma once
#include "methods/collocation/stage_lanes.h"

namespace raak {

// The Legendre polynomials P_0.. on [0, 1], integrated from 0 to x: (2k + 1) I_k = (P_(k+1) - P_(k-1)) / 2.
template <std::size_t terms>
std::array<double, terms> integrated_legendre(double x) {
  std::array<double, terms + 1> P{};
  std::array<double, terms> I{};
  const double y = 2.0 * x - 1.0;
  P[0] = 1.0;
  P[1] = y;
  for (std::size_t k = 2; k < P.size(); ++k) {
    const auto degree = static_cast<double>(k);
    P[k] = ((2.0 * degree - 1.0) * y * P[k - 1] - (degree - 1.0) * P[k - 2]) / degree;
  }
  I[0] = x;
  for (std::size_t k = 1; k < I.size(); ++k)
    I[k] = (P[k + 1] - P[k - 1]) / (2.0 * (2.0 * static_cast<double>(k) + 1.0));
  return I;
}

// (q, v) at the parameter x of a step of length h from (q0, v0) whose accelerations have this Legendre series:
//   v = v0 + h sum_k c_k I_k,  q = q0 + x h v0 + h^2 sum_k c_k J_k,
// with I_k and J_k the once and twice integrated polynomials.
template <int terms>
void integrate_series(const double* series, double x, double h, const Vector& q0, const Vector& v0, Vector& q,
                      Vector& v) {
  const std::array<double, terms + 1> I = integrated_legendre<terms + 1>(x);
  std::array<double, terms> J{};
  J[0] = 0.5 * x * x;
  for (std::size_t k = 1; k < J.size(); ++k)
    J[k] = (I[k + 1] - I[k - 1]) / (2.0 * (2.0 * static_cast<double>(k) + 1.0));
  for (Eigen::Index d = 0; d < q.size(); ++d) {
    double once = 0.0;
    double twice = 0.0;
    for (int k = terms - 1; k >= 0; --k) {
      once += I[static_cast<std::size_t>(k)] * series[terms * d + k];
      twice += J[static_cast<std::size_t>(k)] * series[terms * d + k];
    }
    q[d] = q0[d] + (x * h * v0[d] + h * h * twice);
    v[d] = v0[d] + h * once;
  }
}

// The Legendre series of accelerations that stay what they are.
template <int terms>
void start_series(const Vector& a, double* series) {
  for (Eigen::Index d = 0; d < a.size(); ++d) {
    series[terms * d] = a[d];
    for (int k = 1; k < terms; ++k) series[terms * d + k] = 0.0;
  }
}

// Adds the cubic that is zero with its slope at x = 0 and (dq, dv) at x = 1.
inline void add_end_correction(double x, double h, const Vector& dq, const Vector& dv, Vector& q, Vector& v) {
  const double x2 = x * x;
  const double x3 = x2 * x;
  q += (3.0 * x2 - 2.0 * x3) * dq + h * (x3 - x2) * dv;
  v += (6.0 / h) * (x - x2) * dq + (3.0 * x2 - 2.0 * x) * dv;
}

}  // namespace raak

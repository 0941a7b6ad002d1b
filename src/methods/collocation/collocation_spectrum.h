// A collocation rule as a Runge-Kutta method for second-order equations, and the eigenvalues of its matrix A, which
// decouple the stages of linearized equations. Hairer and Wanner, Solving Ordinary Differential Equations II, section
// IV.8.
#pragma once
#include <complex>
#include <vector>

#include "methods/collocation/collocation.h"

namespace raak {

// A rule whose positions follow from its velocities as these from its accelerations, AA = A A, as a Runge-Kutta method
// has it: the direct form with twice integrated polynomials is not A-stable.
Collocation as_runge_kutta(Collocation rule);

// The conjugate pairs of eigenvalues of A = V diag(nu) V^-1; only the member with positive imaginary part is kept.
struct CollocationSpectrum {
  explicit CollocationSpectrum(const Collocation& rule);
  std::vector<std::complex<double>> nu;
  std::vector<std::complex<double>> to, from;  // pairs x s: rows of V^-1, columns of V
};

}  // namespace raak

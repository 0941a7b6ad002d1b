#include "methods/collocation/collocation_spectrum.h"

#include "base/linear/eigenvalues.h"
#include "base/linear/factors.h"

namespace raak {

Collocation as_runge_kutta(Collocation rule) {
  const auto s = static_cast<std::size_t>(rule.s);
  for (std::size_t j = 0; j < s; ++j) {
    long double end = 0.0L;
    for (std::size_t k = 0; k < s; ++k) end += static_cast<long double>(rule.b[k]) * rule.A[k * s + j];
    rule.bb[j] = static_cast<double>(end);
    for (std::size_t i = 0; i < s; ++i) {
      long double sum = 0.0L;
      for (std::size_t k = 0; k < s; ++k) sum += static_cast<long double>(rule.A[i * s + k]) * rule.A[k * s + j];
      rule.AA[i * s + j] = static_cast<double>(sum);
    }
  }
  return rule;
}

CollocationSpectrum::CollocationSpectrum(const Collocation& rule) {
  Matrix A(rule.s, rule.s);
  for (int i = 0; i < rule.s; ++i)
    for (int j = 0; j < rule.s; ++j) A(i, j) = rule.a(i, j);
  const Eigen::EigenSolver<Matrix> solver(A);
  const Eigen::MatrixXcd V = solver.eigenvectors();
  const Eigen::MatrixXcd inverse = inverse_of(V);
  for (int k = 0; k < rule.s; ++k) {
    if (!(solver.eigenvalues()[k].imag() > 0.0)) continue;
    nu.push_back(solver.eigenvalues()[k]);
    for (int j = 0; j < rule.s; ++j) {
      to.push_back(inverse(k, j));
      from.push_back(V(j, k));
    }
  }
}

}  // namespace raak

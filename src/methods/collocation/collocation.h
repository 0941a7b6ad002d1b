// Collocation rules on [0, 1]: Gauss-Legendre (order 2s) and Radau IIA (order 2s - 1), computed in long double.
// Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.5.
#pragma once
#include <vector>

namespace raak {

struct Collocation {
  enum class Kind { gauss, radau };
  Collocation(Kind kind, int stages);

  int s;
  std::vector<double> c;         // nodes
  std::vector<double> b, bb;     // weights of y(1) = y0 + sum b y', and of twice integrated y''
  std::vector<double> A, AA;     // s x s, by rows: stage i from derivatives j, once and twice integrated
  std::vector<double> legendre;  // s x s: coefficient k of the Legendre series on [0, 1] of the interpolant

  double a(int i, int j) const { return A[index(i, j)]; }
  double aa(int i, int j) const { return AA[index(i, j)]; }
  double series(int k, int j) const { return legendre[index(k, j)]; }

 private:
  std::size_t index(int i, int j) const { return static_cast<std::size_t>(i * s + j); }
};

// The rule of this kind, computed once.
const Collocation& collocation_rule(Collocation::Kind kind, int stages);

}  // namespace raak

// Eigenvalues and shapes of the equations of a mechanism at rest: by dense matrices on what the rows allow, and of many
// coordinates by Arnoldi's method with shifted inverses.
#pragma once
#include <complex>
#include <vector>

#include "study/modes/rest_equations.h"

namespace raak {

struct RawMode {
  std::complex<double> s;  // Im s >= 0
  Eigen::VectorXcd x;      // in scales of the coordinates
  bool rigid = false;
};

// Without damping a mode for each freedom, of which an unstable one grows; with damping every root with Im s >= 0.
// Throws a computation error where a motion has no inertia. Both sort by |s| and leave at most `count`.
std::vector<RawMode> dense_modes(const RestEquations& equations, int count);
std::vector<RawMode> iterative_modes(const RestEquations& equations, int count);

// Whether K is symmetric but for rounding, and whether there is no damping.
bool has_symmetric_stiffness(const RestEquations& equations);
bool is_undamped(const RestEquations& equations);

// Whether the stiffness along x is that of rounding.
bool is_free_along(const RestEquations& equations, const Eigen::VectorXcd& x);
// Marks rigid modes and takes out what rounding leaves beside roots of the size `fastest`.
void settle_rounding(const RestEquations& equations, double fastest, std::vector<RawMode>& modes);

// Slowest first, roots of equal size in their order.
void keep_slowest(std::vector<RawMode>& modes, int count);

}  // namespace raak

// The singular value decomposition of the position constraints at one configuration, in the form of Mani, Haug and
// Atkinson (J. Mech. Trans. Autom. Design 107, 1985; Starmans 1987, equations 2.17 to 2.37):
//   Phi_q = U' D V,  V = [V_D; V_I],  D = [diag(sigma) 0].
// Phi_q is taken as it is, in the units of the coordinates: nothing is scaled.
#pragma once
#include "base/linear/svd.h"
#include "system/constrained_system.h"

namespace raak {

// Orthonormal rows span a subspace in many ways: they may change their signs, and turn among themselves.
class BasisTurn {
 public:
  // Reserves everything for bases of this size; small ones then take nothing from the heap.
  BasisTurn(Eigen::Index rows, Eigen::Index columns);

  // Such that the largest component of each row is positive.
  static void orient(Matrix& basis);
  // Such that the rows are as near as possible to those of another basis of this size: the rotation is U_s V_s' of
  // towards basis' = U_s S V_s' (orthogonal Procrustes problem, Golub and Van Loan, Matrix Computations, 6.4.1).
  void turn(Matrix& basis, const Matrix& towards);

 private:
  Svd svd_;
  Matrix product_, rotation_, turned_;
};

struct ConstraintSvd {
  Vector sigma;      // descending
  Matrix U, VD, VI;  // m x m, m x n, (n - m) x n, orthonormal by rows; the largest component of each row of U and V_I
                     // is positive

  ConstraintSvd(const ConstrainedSystem& system, double t, const Vector& q);

  // D, m x n.
  Matrix diagonal() const;
  // The share of the velocity that another basis of the independent coordinates does not see, 1 - |basis v|^2 / |v|^2
  // (equation 2.34: of the kinetic energy where M = I). Drivers move the mechanism across the tangent (Phi_q v =
  // -Phi_t); that part of v belongs to no basis and is left out.
  double share_outside(const Matrix& basis, const Vector& v) const;
};

}  // namespace raak

// A mechanism at rest at a fixed time: its drivers stand still, all rates are zero. Released there it would accelerate
// by
//   M a = f - G' lambda,   G a = 0,
// and small motions about it obey, in the geometry of the kinetic energy,
//   M x'' + D x' + K x + G' mu = 0,   G x = 0,
//   D = -df/dv,   K = d(G' lambda)/dq - df/dq + C,   C_ij = 1/2 sum_k (dM_ik/dq_j + dM_jk/dq_i - dM_ij/dq_k) a_k.
// C, Christoffel's symbols of the first kind, vanishes in an equilibrium and where M is constant; with it K does not
// depend on the coordinates in which the equations are written. Garcia de Jalon and Bayo, Kinematic and Dynamic
// Simulation of Multibody Systems, 1994, chapter 9; do Carmo, Riemannian Geometry, 1992, chapter 6.
// All matrices are in scales of coordinates and rows (ConstrainedSystem).
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/linear/factors.h"
#include "methods/linear/sparse_factor.h"
#include "system/constrained_system.h"
#include "system/sparse_equations.h"

namespace raak {

// [A G'; G 0] factorized, dense or, of many coordinates, sparse.
class SaddleFactors {
 public:
  // False where it is singular.
  bool factor(const SparseMatrix& A, const SparseMatrix& G);
  // x and y of A x + G' y = top, G x = bottom.
  void solve(const Vector& top, const Vector& bottom, Vector& x, Vector& y) const;
  // The same with bottom = 0, of which x alone is wanted.
  Vector solve(const Vector& top) const;

 private:
  Eigen::Index n_ = 0, m_ = 0;
  double unit_ = 1.0;  // of A
  Eigen::PartialPivLU<Matrix> dense_;
  std::unique_ptr<SparseFactor<double>> sparse_;
};

class RestEquations {
 public:
  RestEquations(const ConstrainedSystem& system, double t);

  const ConstrainedSystem& system() const { return system_; }
  double t() const { return rest_.t; }
  const Vector& scales() const { return system_.coordinate_scales(); }
  // What can move, which the centres of a turn gauge cannot, less the rows.
  Eigen::Index freedoms() const { return G.cols() - G.rows(); }

  // M, G, force and gap. False where they are not finite.
  bool read_terms(const Vector& q);
  // The same, and what follows of them: release and multipliers. False where these are not determined.
  bool evaluate(const Vector& q);
  // Multipliers in place of those of the release.
  void set_multipliers(const Vector& scaled);
  // D and K as well. In an equilibrium the release is left out of K, as it is there for rounding only.
  void linearise(bool in_equilibrium);
  // A coordinate on which a force acts that has no derivative here, as friction at rest or a contact that just touches:
  // what its slopes change by does not shrink with the distance from here.
  std::optional<std::string> kinked_coordinate() const;
  // K of a configuration that differs from this one by rounding.
  SparseMatrix stiffness_beside() const;

  const State& at() const { return rest_; }  // unscaled
  double release_size() const;               // sqrt(a'Ma)
  double force_size() const;                 // sqrt(f'M^-1 f), of the diagonal of M
  // The same of the forces that a displacement meets, after linearise(): beside it forces that are rounding count as
  // none, however small all others are.
  double resistance_to(const Vector& displacement) const;

  SparseMatrix M, D, K, G;
  SparseMatrix
      stiffness_sizes;  // the sum of the sizes of the parts of K: what it may be wrong by, in units of rounding
  Vector force, gap, release, multipliers;

 private:
  double size_of(const Vector& forces) const;
  void read_mass(const Vector& q, SparseMatrix& to) const;
  SparseMatrix inertia_stiffness(const State& state) const;
  // A step of this size in all coordinates, none like the next.
  Vector step_of(double size) const;
  void read_slopes(const Vector& q, const Vector& v, SparseMatrix& by_q, SparseMatrix& by_v) const;
  SparseMatrix scaled(const SparseMatrix& matrix) const;

  const ConstrainedSystem& system_;
  const SparseEquations* sparse_;
  State rest_;
  bool in_equilibrium_ = false;
  Eigen::Index held_;  // centres, which come last among the coordinates
  SaddleFactors factors_;
};

// The joints whose rows are dependent there; empty: none, and `singular` says whether there are any at all.
struct Dependence {
  bool singular = false;
  std::vector<std::string> joints;
};
Dependence find_dependence(const RestEquations& equations);

}  // namespace raak

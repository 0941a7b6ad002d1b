// The matrices of the equations of motion by the entries that are not zero by their structure: a joint speaks of the
// bodies that it ties, so that a mechanism of N bodies has some N of them instead of N^2.
#pragma once
#include <Eigen/SparseCore>

#include "system/constrained_system.h"

namespace raak {

using SparseMatrix = Eigen::SparseMatrix<double>;

// What ConstrainedSystem has as dense matrices. The places of the entries are the same at every state.
class SparseEquations {
 public:
  SparseEquations() = default;
  SparseEquations(const SparseEquations&) = delete;
  SparseEquations& operator=(const SparseEquations&) = delete;
  virtual ~SparseEquations() = default;

  virtual void sparse_mass(double t, const Vector& q, SparseMatrix& M) const = 0;
  virtual void sparse_jacobian(double t, const Vector& q, SparseMatrix& G) const = 0;
  virtual void sparse_force_derivatives(double t, const Vector& q, const Vector& v, SparseMatrix& f_q,
                                        SparseMatrix& f_v) const = 0;
  virtual void sparse_inertia_stiffness(const State& state, SparseMatrix& K) const = 0;

  // Those of a system that has them and so many coordinates that dense factors take longer; else null.
  static const SparseEquations* worthwhile(const ConstrainedSystem& system) {
    constexpr int many = 60;
    return system.coordinates() < many ? nullptr : dynamic_cast<const SparseEquations*>(&system);
  }
};

}  // namespace raak

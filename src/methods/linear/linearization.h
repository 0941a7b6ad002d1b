// The equations of motion linearized at one state: M, G, D = -df/dv and K = d(M a + G' lambda - f)/dq; of many
// coordinates by the entries that are not zero by their structure, whose places never change.
#pragma once
#include <memory>
#include <vector>

#include "methods/resumable.h"
#include "system/constrained_system.h"
#include "system/sparse_equations.h"

namespace raak {

class SaddlePattern;

inline void visit_state(Archive& archive, SparseMatrix& matrix) {
  matrix.makeCompressed();
  Eigen::Index rows = matrix.rows(), columns = matrix.cols();
  std::vector<int> outer(matrix.outerIndexPtr(), matrix.outerIndexPtr() + columns + 1);
  std::vector<int> inner(matrix.innerIndexPtr(), matrix.innerIndexPtr() + matrix.nonZeros());
  std::vector<double> values(matrix.valuePtr(), matrix.valuePtr() + matrix.nonZeros());
  archive(rows, columns, outer, inner, values);
  if (archive.is_loading())
    matrix = Eigen::Map<const SparseMatrix>(rows, columns, static_cast<Eigen::Index>(values.size()), outer.data(),
                                            inner.data(), values.data());
}

struct StateLinearization {
  // With `equations` the sparse matrices are filled, else the dense ones.
  StateLinearization(int n, int m, const SparseEquations* equations = nullptr)
      : M(equations == nullptr ? Matrix(Matrix::Zero(n, n)) : Matrix()),
        D(M),
        K(M),
        inertia(M),
        G(equations == nullptr ? Matrix(Matrix::Zero(m, n)) : Matrix()),
        equations_(equations) {}

  void update(const ConstrainedSystem& system, const State& state) {
    if (equations_ != nullptr) {
      equations_->sparse_mass(state.t, state.q, sparse.M);
      equations_->sparse_force_derivatives(state.t, state.q, state.v, sparse.f_q, sparse.f_v);
      equations_->sparse_inertia_stiffness(state, sparse.inertia);
      if (system.rows() > 0) equations_->sparse_jacobian(state.t, state.q, sparse.G);
      return;
    }
    system.mass(state.t, state.q, M);
    system.force_derivatives(state.t, state.q, state.v, K, D);
    system.inertia_stiffness(state, inertia);
    if (G.rows() > 0) system.jacobian(state.t, state.q, G);
    K = inertia - K;
    D = -D;
  }
  // `pattern` is left to whoever shares it.
  void visit_state(Archive& archive) {
    archive(M, D, K, inertia, G, sparse.M, sparse.inertia, sparse.f_q, sparse.f_v, sparse.G);
    scratch(equations_);
  }

  Matrix M, D, K, inertia, G;
  struct {
    SparseMatrix M, inertia, f_q, f_v, G;  // K = inertia - f_q, D = -f_v
  } sparse;
  std::shared_ptr<const SaddlePattern> pattern;  // of the sparse ones (sparse_newton.h)

 private:
  const SparseEquations* equations_;
};

}  // namespace raak

// The equations of motion linearised at one state: M, G, D = -df/dv and K = d(M a + G' lambda - f)/dq.
#pragma once
#include "system/constrained_system.h"

namespace raak {

struct Linearisation {
  Linearisation(int n, int m) : M(Matrix::Zero(n, n)), D(M), K(M), inertia(M), G(Matrix::Zero(m, n)) {}
  void update(const ConstrainedSystem& system, const State& state) {
    system.mass(state.t, state.q, M);
    system.force_derivatives(state.t, state.q, state.v, K, D);
    system.inertia_stiffness(state, inertia);
    if (G.rows() > 0) system.jacobian(state.t, state.q, G);
    K = inertia - K;
    D = -D;
  }
  Matrix M, D, K, inertia, G;
};

}  // namespace raak

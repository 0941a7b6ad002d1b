// An error (w_q, w_v) of a state, made tangent to the constraints:
//   G w_q = 0,   G w_v + dc/dq w_q = 0,   c = G v + g_t the residual of velocities,
// with derivatives as central differences. For few coordinates by the smallest change in their scales, from the
// functions that a start has recorded already; else by bringing a state to either side back to the constraints.
#pragma once
#include "system/constrained_system.h"

namespace raak {

class TangentProjection {
 public:
  explicit TangentProjection(const ConstrainedSystem& system);

  // The differences are those of states `spread` times w to either side. Not finite where the rows are dependent.
  void project(const State& at, double spread, Vector& w_q, Vector& w_v);

 private:
  void project_along_rows(const State& at, double spread, Vector& w_q, Vector& w_v);

  const ConstrainedSystem& system_;
  bool is_small_;
  Matrix A_;  // rows in the scales of coordinates and rows
  Vector ahead_, behind_;
};

}  // namespace raak

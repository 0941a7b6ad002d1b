// Equations of motion as functions that are called with numbers, for other languages and for code that cannot be
// recorded: M(t,q) v' = f(t,q,v) - G' lambda, 0 = g(t,q), 0 = c(t,q,v). Where you can write them as formulas of
// raak::Real, equations.h is a hundred times faster.
#pragma once
#include <functional>
#include <string>

#include "raak/equations.h"
#include "raak/export.h"
#include "raak/model.h"

namespace raak_v0 {

// Writes `out`; v is null where the quantity is no function of it. Called by the thread that runs.
using Callback = std::function<void(double t, const double* q, const double* v, double* out)>;

struct Callbacks {
  int coordinates = 0, position_rows = 0, velocity_rows = 0;
  Description description = {};
  Callback mass;                      // of t, q: n x n, row by row
  Callback force;                     // of t, q, v: n
  Callback constraint = {};           // of t, q
  Callback velocity_constraint = {};  // of t, q, v, linear in v
  // What is not given is found by differences, with about 10 digits.
  Callback jacobian = {};   // of t, q: dg/dq, row by row
  Callback bias = {};       // of t, q, v: G v' = bias, where g and c are differentiated until v' appears
  Callback potential = {};  // of t, q: 1 number, J
  Callback power = {};      // of t, q, v: 1 number, W, of forces that are not in the potential
  Callback outputs = {};    // of t, q, v: as many as the description names
};

// A force of a mechanism (Mechanism::force) that is a function: of time and of what `of` names, expressions of
// positions and rates as in an output. It writes one component in each direction. The function is called several times
// a step and has no derivatives but differences, and the equations are solved with dense matrices: a formula of the
// mechanism itself is ten times as fast.
struct ForceFunction {
  using Value = std::function<void(double t, const double* of, double* components)>;
  // One of the two. A point, "arm.P": N, in ground axes, two components in the plane and three in space. A body, "arm":
  // N m, a torque, one component in the plane, and three in ground axes in space.
  std::string at = {}, on = {};
  std::vector<std::string> of = {};
  Value value = {};
};

RAAK_API Model callback_model(const Callbacks& callbacks, const StartValues& start, const std::string& name);

}  // namespace raak_v0

// Follows the energy of a system along its motion: T + V - T0 - V0 - W, where the work W of drivers, dampers and
// external forces is known in closed form or summed up by four-point Gauss quadrature over each step's dense output.
#pragma once
#include "methods/method.h"
#include "system/constrained_system.h"

namespace raak {

class EnergyLedger {
 public:
  struct Entry {
    double kinetic = 0.0, potential = 0.0, input = 0.0, balance = 0.0;  // J
  };

  EnergyLedger(const ConstrainedSystem& system, const State& start);

  // The entry for a state inside the step that begins where the last one was closed.
  Entry entry(const State& state, Integrator& step);
  // The same at the end of that step, from which the next one begins.
  Entry close_step(const State& state, Integrator& step);
  Entry at_start() const;

 private:
  double work_since_step_start(double t, Integrator& step);

  const ConstrainedSystem& system_;
  Energy start_;
  double step_start_;
  double work_ = 0.0;  // up to step_start_, by quadrature
  State node_;
};

}  // namespace raak

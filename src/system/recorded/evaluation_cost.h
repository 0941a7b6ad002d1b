// What an evaluation of the accelerations takes, counted from its formulas and never measured: methods compare their
// work by it, and a run must take the same decisions every time.
#pragma once
#include "system/constrained_system.h"

namespace raak {

// Of a system that counts it itself, beside being a ConstrainedSystem.
class CountedEvaluation {
 public:
  CountedEvaluation() = default;
  CountedEvaluation(const CountedEvaluation&) = delete;
  CountedEvaluation& operator=(const CountedEvaluation&) = delete;
  virtual ~CountedEvaluation() = default;

  virtual double counted_cost() const = 0;
};

// Cycles that a recorded program takes whose operations take `cost` (Program::cost()) where nothing has to be waited
// for. Long programs are read through once an evaluation, with values that no register holds, and wait for both.
double cycles_of_program(double cost);

// Cycles of one evaluation of four lanes near a configuration.
double acceleration_cost(const ConstrainedSystem& system, double t, const Vector& q);

}  // namespace raak

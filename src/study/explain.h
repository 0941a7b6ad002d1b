// Looks at a model from all sides and says what is remarkable: can it be assembled, how does it move, where do its
// constraints come close to a singular pose and which of them meet there, what limits the steps, what to try.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "run/integrate.h"
#include "system/model.h"

namespace raak {

// How far the constraints are from losing rank at one moment.
struct Conditioning {
  double t = 0.0;                                    // s
  double ratio = 1.0;                                // smallest over largest singular value of the scaled Jacobian
  std::vector<std::pair<std::string, double>> rows;  // constraints that share the smallest one, with their weights
};
Conditioning conditioning_at(const ConstrainedSystem& system, double t, const Vector& q);

struct Explanation {
  enum class Cause {
    none,
    impossible_assembly,
    dependent_constraints,  // redundant or contradictory
    singular_pose,
    blow_up,
    undefined,  // forces or constraints have no value beyond a point
    stiffness,
    tolerance_below_precision
  };
  Cause cause = Cause::none;
  std::string finding;  // in words, with numbers
  std::string advice;   // one thing to try; empty when all is well

  int coordinates = 0, rows = 0, rank = 0, mobility = 0;
  bool assembled = false;
  Conditioning start, worst;
  std::string worst_constraint;     // with the largest violation over the run
  double worst_violation = 0.0;     // SI
  double violation_time = 0.0;      // s
  double shortest_step = 0.0;       // s
  double shortest_step_time = 0.0;  // s
  Result result;                    // of the run, if it was assembled
};

const std::string& cause_name(Explanation::Cause cause);

Explanation explain_model(const Model& model, const Plan& plan);

}  // namespace raak

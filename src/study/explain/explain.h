// Looks at a model from all sides and says what is remarkable: can it be assembled, how does it move, where do its
// constraints come close to a singular configuration and which of them meet there, what limits the steps, what to try.
#pragma once
#include <optional>
#include <string>

#include "kinematics/model.h"
#include "run/diagnosis/diagnosis.h"
#include "study/stiffness.h"

namespace raak {

struct Explanation {
  using Cause = Diagnosis::Cause;
  Cause cause = Cause::none;
  std::string finding;  // in words, with numbers
  std::string advice;   // one thing to try; empty when all is well

  int coordinates = 0, rows = 0, rank = 0, mobility = 0;
  bool assembled = false;
  bool moves = false;  // something had a velocity during the run
  Conditioning start, worst;
  std::string worst_constraint;     // with the largest violation over the run
  double worst_violation = 0.0;     // SI
  double violation_time = 0.0;      // s
  double shortest_step = 0.0;       // s
  double shortest_step_time = 0.0;  // s
  Stiffness stiffness;
  std::optional<Diagnosis> diagnosis;  // of whatever is not "nothing is wrong", whether the run failed or not
  Result result;                       // of the run, if it was assembled
};

Explanation explain_model(const Model& model, const Plan& plan);

}  // namespace raak

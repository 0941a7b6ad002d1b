// The singular configurations that a run has passed, and the joints whose rows are dependent there.
#pragma once
#include <string>
#include <vector>

#include "methods/method.h"
#include "system/constrained_system.h"

namespace raak {

struct PassedSingularity {
  double t = 0.0;                   // s
  std::vector<std::string> joints;  // that share the dependence
};

// The owners of the rows on which the null space of G' does not vanish: the part of a row's name before its comma.
std::vector<std::string> dependent_joints(const ConstrainedSystem& system, double t, const Vector& q);

// In a configuration that is special to the coordinates that a method has chosen no joints are dependent: it is left
// out.
std::vector<PassedSingularity> passed_singularities(const ConstrainedSystem& system,
                                                    const std::vector<SingularityRecord>& singularities);

}  // namespace raak

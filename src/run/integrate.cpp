#include "run/integrate.h"

#include "kinematics/start/consistent_start.h"
#include "run/course.h"
#include "run/plan_checks.h"

namespace raak {

Result integrate(const ConstrainedSystem& system, const State& start, const Plan& plan, const Observer& observer) {
  require_plan(system, start, plan);
  return Course(system, completed_start(system, start), plan, observer).run();
}

}  // namespace raak

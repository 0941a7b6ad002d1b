#include "run/integrate.h"

#include "kinematics/start/consistent_start.h"
#include "run/run_loop.h"
#include "run/plan_checks.h"

namespace raak {

Result integrate(const ConstrainedSystem& system, const State& start, const Plan& plan, const Observer& observer) {
  require_plan(system, start, plan);
  return RunLoop(system, completed_start(system, start), plan, observer).run();
}

}  // namespace raak

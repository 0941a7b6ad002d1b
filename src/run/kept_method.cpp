#include "run/kept_method.h"

#include <utility>

#include "kinematics/start/consistent_start.h"
#include "run/plan_checks.h"
#include "run/run_loop.h"

namespace raak {
namespace {

bool are_same(const Tolerance& a, const Tolerance& b) {
  return a.rtol == b.rtol && a.atol == b.atol && a.length_atol == b.length_atol && a.atols.size() == b.atols.size() &&
         (a.atols.array() == b.atols.array()).all();
}

bool are_same(const Tolerances& a, const Tolerances& b) {
  return are_same(a.q, b.q) && are_same(a.v, b.v) && are_same(a.lambda, b.lambda);
}

}  // namespace

std::unique_ptr<Integrator> KeptMethod::take(const Plan& plan) {
  const std::scoped_lock lock(mutex_);
  const bool serves =
      plan.fixed_step == 0.0 && plan.method == name_ && plan.form == form_ && are_same(plan.tolerances, tolerances_);
  return serves ? std::move(method_) : nullptr;
}

void KeptMethod::leave(std::unique_ptr<Integrator> method, const Plan& plan) {
  const std::scoped_lock lock(mutex_);
  method_ = std::move(method);
  name_ = plan.method;
  form_ = plan.form;
  tolerances_ = plan.tolerances;
}

Result KeptMethod::integrate(const ConstrainedSystem& system, const State& start, const Plan& plan,
                             const Observer& observer) {
  require_plan(system, start, plan);
  RunLoop loop(system, completed_start(system, start), plan, observer, take(plan));
  Result result = loop.run();
  if (result.termination == Termination::ok && plan.fixed_step == 0.0) leave(loop.take_method(), plan);
  return result;
}

}  // namespace raak

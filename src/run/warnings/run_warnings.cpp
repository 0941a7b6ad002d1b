#include "run/warnings/run_warnings.h"

#include <fmt/format.h>

#include "run/account/energy_warning.h"
#include "run/diagnosis/backward_damping.h"
#include "run/warnings/sensitivity_warning.h"
#include "run/warnings/size_warning.h"
#include "run/watches/growth.h"

namespace raak {
namespace {

constexpr long many_steps = 1'000'000;  // few motions need so many for their accuracy

void warn_of_growth_backwards(const ConstrainedSystem& system, Result& result) {
  const State &start = result.start, &end = result.end;
  if (end.t >= start.t) return;
  const double growth = growth_of_velocities(system, start, end);
  if (!(growth > runs_away)) return;
  const std::string resistance = feeding_resistance(system, start, end);
  if (resistance.empty()) return;
  result.warn(
      fmt::format("backwards in time \"{}\" feeds the motion instead of damping it: velocities have grown by "
                  "{:.0e}. Errors of the start grow as they do",
                  resistance, growth));
}

}  // namespace

void warn_of_run(const ConstrainedSystem& system, const MethodInfo& method, const Plan& plan, Result& result) {
  const Statistics& work = result.statistics;
  if (plan.fixed_step > 0.0 && work.rejected > 0)
    result.warn(fmt::format("steps of {} s were refused {} times and taken in parts: \"{}\" could not solve for them",
                            plan.fixed_step, work.rejected, method.name));
  if (work.steps > many_steps && !find_method(plan.method).is_choice && plan.fixed_step == 0.0)
    result.warn(
        fmt::format("{} steps were taken: stiffness may limit them. --method auto may need far fewer", work.steps));
  if (result.termination == Termination::failed) return;
  warn_of_sensitivity(system, result);
  warn_of_growth_backwards(system, result);
  warn_of_large_atol(system, result);
  warn_of_violation(system, plan, result);
  if (system.accounts_for_energy()) warn_of_energy(system, plan, result);
}

}  // namespace raak

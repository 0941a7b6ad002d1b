// Why a run takes so many steps: a tolerance that the method is not made for, growth, a singular configuration,
// stiffness, or only its length.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "run/diagnosis/broken_motion.h"
#include "run/diagnosis/causes.h"
#include "run/diagnosis/diagnosis.h"
#include "run/diagnosis/locked.h"
#include "run/watches/growth.h"

namespace raak {
namespace {

using Cause = Diagnosis::Cause;

constexpr long steps_that_tell = 20;   // a smaller budget may be used up by any motion
constexpr double much_faster = 10.0;   // than the motion: a mode that only limits the steps
constexpr double fast_for_step = 0.2;  // speed of a mode times step from which it limits explicit steps

// What turns or moves so fast that following it takes the steps.
std::string words_of_fast_motion(const ConstrainedSystem& system, const State& last, double until) {
  constexpr double far = 1e6;  // rad or m still to go
  State shown;
  system.report_motion(last, shown);
  const auto& names = system.reported().velocities;
  if (names.empty() || shown.v.size() != static_cast<Eigen::Index>(names.size())) return "";
  Eigen::Index fastest = 0;
  const double speed = shown.v.cwiseAbs().maxCoeff(&fastest);
  if (!(speed * std::abs(until - last.t) > far)) return "";
  return fmt::format(": {} is {:.3g}, with {:.3g} s to go", names[static_cast<std::size_t>(fastest)], shown.v[fastest],
                     std::abs(until - last.t));
}

// 1/s: how fast the motion itself changes, as far as one state shows.
double rate_of_motion(const State& at) {
  const double v = at.v.norm();
  return std::max(v / (1.0 + at.q.norm()), v > 0.0 ? at.a.norm() / v : 0.0);
}

Diagnosis diagnose_slowness(const ConstrainedSystem& system, const MethodInfo& method, const State& start,
                            const State& last, const Plan& plan, double step) {
  Diagnosis found = look_around(system, start, last, step);
  FastestMode fastest = fastest_mode(system, last);
  const bool few = plan.max_steps > 0 && plan.max_steps < steps_that_tell;
  if (blame_jumping_row(system, last, plan.until >= start.t ? 1.0 : -1.0, found)) return found;
  if (const auto lock = find_lock(system, start, last)) {
    blame_lock(*lock, plan, found);
  } else if (found.growth >= runs_away) {
    blame_growth(system, start, last, plan, found);
  } else if (plan.tolerances.q.rtol < method.tightest_rtol) {
    found.cause = Cause::tolerance_below_precision;
    found.because = fmt::format("\"{}\" is not made for rtol = {:.1e}", method.name, plan.tolerances.q.rtol);
    found.advice = fmt::format("--rtol {:.0e}, or --method dop853", method.tightest_rtol);
  } else if (found.conditioning.ratio < RankPolicy::regular) {
    found.cause = Cause::singular_configuration;
    found.because = words_at_singularity(start, last);
    found.advice = advice_at_singularity(system, plan);
  } else if (fastest.speed() * found.step > fast_for_step && fastest.speed() > much_faster * rate_of_motion(last) &&
             !few && !method.is_advised_for_stiffness()) {
    found.cause = Cause::stiffness;
    found.because = fmt::format("{} limits the steps, not the accuracy asked for", text_of(fastest));
    found.fastest = std::move(fastest);
    found.advice = "--method radau, or auto";
  } else {
    found.cause = Cause::none;
    found.because = "the run is long for this method and tolerance" + words_of_fast_motion(system, last, plan.until);
    found.advice = "a larger --rtol, an earlier --until, or another --method";
  }
  return found;
}

}  // namespace

Diagnosis diagnose_budget(const ConstrainedSystem& system, const MethodInfo& method, const State& start,
                          const State& last, const Plan& plan, double step, long budget) {
  Diagnosis found = diagnose_slowness(system, method, start, last, plan, step);
  if (budget == plan.max_steps && found.cause == Cause::none) {
    found.because = fmt::format("this motion needs more steps than the {} that were allowed", budget);
    found.advice = "a larger max_steps, a larger tolerance or a shorter run";
  }
  if (!found.happened.empty()) return found;
  found.happened = fmt::format("the budget of {} steps is used up at t = {:.6g} s of {:.6g} s, with steps of {:.1e} s",
                               budget, last.t, plan.until, found.step);
  return found;
}

Diagnosis diagnose_pace(const ConstrainedSystem& system, const MethodInfo& method, const State& start,
                        const State& last, const Plan& plan, double mean_step) {
  Diagnosis found = diagnose_slowness(system, method, start, last, plan, mean_step);
  if (!found.happened.empty()) return found;
  const double left = std::abs(plan.until - last.t);
  found.happened = fmt::format(
      "cannot reach t = {:.6g} s: at t = {:.6g} s the steps are {:.1e} s on average, so that {}", plan.until, last.t,
      mean_step, mean_step > 0.0 ? fmt::format("{:.0e} more are needed", left / mean_step) : "no end is in sight");
  return found;
}

}  // namespace raak

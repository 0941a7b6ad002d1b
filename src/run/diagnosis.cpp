#include "run/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "system/consistent_start.h"

namespace raak {
namespace {

// The coordinate that has grown most, if the motion runs away.
std::string growth(const ConstrainedSystem& system, const State& start, const State& last) {
  Eigen::Index i = 0;
  Eigen::Index j = 0;
  const double q = last.q.cwiseAbs().maxCoeff(&i);
  const double v = last.v.cwiseAbs().maxCoeff(&j);
  const double q0 = 1.0 + start.q.cwiseAbs().maxCoeff();
  const double v0 = 1.0 + start.v.cwiseAbs().maxCoeff();
  const auto& names = system.description().coordinates;
  if (v > 1e6 * v0)
    return fmt::format("the velocity of \"{}\" grows without bound ({:.3g})", names[static_cast<std::size_t>(j)], v);
  if (q > 1e6 * q0)
    return fmt::format("coordinate \"{}\" grows without bound ({:.3g})", names[static_cast<std::size_t>(i)], q);
  return {};
}

}  // namespace

std::string explain_small_step(const ConstrainedSystem& system, const State& start, const State& last, const Plan& plan,
                               double step, const char* trouble) {
  std::string text =
      fmt::format("no acceptable step from t = {:.9g} s: steps down to {:.1e} s were tried", last.t, std::abs(step));
  if (trouble != nullptr) text += fmt::format(" ({})", trouble);
  const RankReport rank = constraint_rank(system, last.t, last.q);
  const std::string grows = growth(system, start, last);
  if (!grows.empty()) {
    text += fmt::format(". Cause: {}. Check the forces and the parameters", grows);
  } else if (rank.singular_values.size() > 0 && rank.singular_values.tail(1)[0] < 1e-3 * rank.singular_values[0]) {
    text += fmt::format(
        ". Cause: a singular pose is near (smallest singular value of the constraints {:.1e} of {:.1e}). "
        "Try a larger tolerance, or a start on another branch",
        rank.singular_values.tail(1)[0], rank.singular_values[0]);
  } else if (trouble != nullptr) {
    text +=
        ". Cause: the forces or constraints are not defined beyond this point, or no position satisfies them. Check "
        "the "
        "parameters, or end the run before it";
  } else {
    text +=
        fmt::format(". Cause: the error cannot be brought below rtol = {:.1e}, atol = {:.1e}. Try larger tolerances",
                    plan.tolerances.q.rtol, plan.tolerances.q.atol);
  }
  return text;
}

namespace {

std::string way_out(const MethodInfo& method, const Plan& plan) {
  if (plan.tolerances.q.rtol < method.tightest_rtol)
    return fmt::format(": \"{}\" is not made for rtol = {:.1e}. Try --rtol {:.0e}, or --method dop853", method.name,
                       plan.tolerances.q.rtol, method.tightest_rtol);
  return ". Try a larger tolerance, a shorter run, or another method";
}

}  // namespace

std::string explain_budget(const MethodInfo& method, const State& last, const Plan& plan, double step, long budget) {
  return fmt::format("the budget of {} steps is used up at t = {:.6g} s of {:.6g} s, with steps of {:.1e} s{}", budget,
                     last.t, plan.until, std::abs(step), way_out(method, plan));
}

std::string explain_pace(const MethodInfo& method, const State& last, const Plan& plan, double mean_step) {
  const double left = std::abs(plan.until - last.t);
  const std::string more = mean_step > 0.0 ? fmt::format("{:.0e} more", left / mean_step) : "without end";
  return fmt::format("the steps have become too short to reach {:.6g} s: at t = {:.6g} s {:.1e} s on average, {}{}",
                     plan.until, last.t, mean_step, more, way_out(method, plan));
}

}  // namespace raak

#include "run/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
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
    const Vector& sigma = rank.singular_values;
    const auto small = std::count_if(sigma.begin(), sigma.end(), [&](double s) { return s < 1e-3 * sigma[0]; });
    text += fmt::format(
        ". Cause: a singular pose is near (smallest singular value of the constraints {:.1e} of {:.1e}): {} of the "
        "rows of {} become dependent, and the mobility changes from {} to {}. Try --method tangent, another tolerance, "
        "or a start on another branch",
        sigma.tail(1)[0], sigma[0], small, join(dependent_joints(system, last.t, last.q)),
        system.coordinates() - system.rows(), system.coordinates() - system.rows() + small);
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

std::string explain_open_row(const RowGap& gap, double t) {
  return fmt::format(
      "at t = {:.9g} s \"{}\" is open by {:.3g} m (or rad): at the start its row followed from the others and was left "
      "out, here it does not. The mechanism has left the poses where it is redundant. Start from a pose on the branch "
      "of the motion where the joints are independent; raak assemble tells which rows are redundant at the start",
      t, gap.row, gap.size);
}

std::string explain_budget(const MethodInfo& method, const State& last, const Plan& plan, double step, long budget) {
  const std::string used_up =
      fmt::format("the budget of {} steps is used up at t = {:.6g} s of {:.6g} s, with steps of {:.1e} s", budget,
                  last.t, plan.until, std::abs(step));
  if (plan.tolerances.q.rtol < method.tightest_rtol)
    return fmt::format("{}: \"{}\" is not made for rtol = {:.1e}. Try --rtol {:.0e}, or --method dop853", used_up,
                       method.name, plan.tolerances.q.rtol, method.tightest_rtol);
  return used_up + ". Try a larger tolerance, a shorter run, or another method";
}

}  // namespace raak

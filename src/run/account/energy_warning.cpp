#include "run/account/energy_warning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace raak {
namespace {

// Beside a singular configuration rounding spoils the stages by eps/d^3 (methods/composite/singularity_locator.h): no
// tolerance makes that less.
void warn_of_singularities(double moved, Result& result) {
  constexpr double held_across = 1e-9;  // of the energy that moves
  const double asked = std::min(result.tolerances.q.rtol, result.tolerances.v.rtol);
  const double share = result.quality.energy_drift / moved;
  if (result.singularities.empty() || !(share > asked)) return;
  result.warn(fmt::format(
      "{} singular configuration{} left the energy off by {:.2g} of what moves, where a relative error of {:.2g} was "
      "asked for: "
      "{}",
      result.singularities.size(), result.singularities.size() == 1 ? "" : "s", share, asked,
      asked > held_across
          ? "try a tighter --rtol"
          : "rounding beside such configurations decides on the last digits, and a tighter --rtol does not give more"));
}

// Where digits follow the tolerance the energy does too: off by at most 3 times what was asked for on all models, by
// 500 and more where a spring passes through a kink of its length.
void warn_of_kinks(const Plan& plan, double moved, Result& result) {
  constexpr double many = 30.0;
  constexpr double rounding = 1e-10;  // of what moves, over many steps
  const bool promises = find_method(plan.method).follows_tolerance;
  const Tolerances& t = result.tolerances;
  const double asked = std::min(std::max(t.q.rtol, t.q.atol), std::max(t.v.rtol, t.v.atol));
  const double share = result.quality.energy_drift / moved;
  if (!promises || plan.fixed_step > 0.0 || !(share > std::max(many * asked, rounding))) return;
  result.warn(fmt::format(
      "the energy balance is off by {:.2g} of what moves, where a relative error of {:.2g} was asked for: a force may "
      "have a kink that the steps do not see, as a spring has where its ends meet. Compare with --method dop853",
      share, asked));
}

}  // namespace

namespace {

// What a body has that goes a thousandth of its size in the time of the run: its rounding is no energy that anybody
// looks for.
double least_energy(const ConstrainedSystem& system, const Result& result) {
  constexpr double share = 1e-3;
  const double span = std::abs(result.end.t - result.start.t);
  Vector mass(system.coordinates());
  system.mass_diagonal(result.start.t, result.start.q, mass);
  const double largest = mass.cwiseProduct(system.coordinate_scales().cwiseAbs2()).cwiseAbs().maxCoeff();
  return span > 0.0 ? largest * std::pow(share / span, 2) : 0.0;
}

}  // namespace

void warn_of_energy(const ConstrainedSystem& system, const Plan& plan, Result& result) {
  constexpr double share = 0.02;
  const Energy before = system.energy(result.start.t, result.start.q, result.start.v);
  const Energy after = system.energy(result.end.t, result.end.q, result.end.v);
  const double moved = result.quality.energy_moved;
  // What rounding leaves of the energies that are added up is no motion.
  const double rounding =
      1e-12 * std::max({std::abs(before.potential), std::abs(after.potential), std::abs(before.input),
                        std::abs(after.input), least_energy(system, result)});
  if (!(moved > 0.0) || !(result.quality.energy_drift > rounding)) return;
  if (!(result.quality.energy_drift > share * moved)) {
    if (result.singularities.empty()) warn_of_kinks(plan, moved, result);
    return warn_of_singularities(moved, result);
  }
  result.warn(
      fmt::format("the energy balance is off by {:.2g} J where {:.2g} J move: the motion may be wrong. Compare with a "
                  "{} and another --method",
                  result.quality.energy_drift, moved, plan.fixed_step > 0.0 ? "smaller --step" : "tighter --rtol"));
}

}  // namespace raak

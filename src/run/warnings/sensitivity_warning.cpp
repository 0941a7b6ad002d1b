#include "run/warnings/sensitivity_warning.h"

#include <fmt/format.h>

#include <cmath>

#include "run/watches/uniform_growth.h"

namespace raak {
namespace {

constexpr double many = 1e4;

// The mode that leads away from the start, where that is an equilibrium but for rounding; empty: it is none.
std::string mode_leading_away(const ConstrainedSystem& system, const State& start, double direction) {
  constexpr double hardly = 1e-6;
  const double rate = growth_rate(system, start, direction).value_or(0.0);
  const auto rests = [&](const Vector& x, double unit) {
    return (x.cwiseQuotient(system.coordinate_scales()).cwiseAbs().array() < hardly * unit).all();
  };
  if (!(rate > 0.0) || !rests(start.v, rate) || !rests(start.a, rate * rate)) return {};
  return text_of(growing_mode(system, start, direction));
}

}  // namespace

void warn_of_sensitivity(const ConstrainedSystem& system, Result& result) {
  const Sensitivity& found = result.sensitivity;
  if (!found.known || !(found.factor > many)) return;
  const double rtol = result.tolerances.q.rtol;
  const double error = found.factor * rtol;
  std::string held = error < 0.3 ? fmt::format("{:.1g} of the motion", error) : "as large as the motion itself";
  if (error > Sensitivity::holding)
    held +=
        fmt::format(", and stays below {:g} of it until about t = {:.3g} s only", Sensitivity::holding, found.t_digits);
  std::string warning = fmt::format(
      "this motion is sensitive: by t = {:.6g} s it multiplies errors by about {:.0e}. An error of rtol = {:.0e} "
      "becomes "
      "{}. ",
      result.end.t, found.factor, rtol, held);
  const std::string mode = mode_leading_away(system, result.start, result.end.t - result.start.t);
  warning += mode.empty()
                 ? "A tighter --rtol gives more digits; errors of the numbers in the model grow in the same way"
                 : fmt::format(
                       "It starts in an unstable equilibrium, with {}: rounding errors decide when and "
                       "to which side it leaves. A start clearly off the equilibrium gives a motion "
                       "with digits",
                       mode);
  result.warn(std::move(warning), Diagnosis::Cause::sensitive);
}

}  // namespace raak

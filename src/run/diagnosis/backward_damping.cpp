#include "run/diagnosis/backward_damping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/some_of.h"
#include "run/diagnosis/diagnosis.h"
#include "run/watches/growth.h"
#include "system/energy_accounts.h"

namespace raak {
namespace {

constexpr double all_digits = 36.0;  // ln(1/eps): an error of rounding has become as large as the motion

// The dampers of the mode, or all where the mode does not know.
std::vector<std::string> dampers_of(const ConstrainedSystem& system, const FastestMode& mode) {
  std::vector<std::string> all, taking_part;
  const EnergyAccounts* const accounts = system.energy_accounts();
  if (accounts == nullptr) return {};
  for (const EnergyAccount& account : accounts->works()) {
    if (account.kind == EnergyAccount::Kind::driver) continue;
    const auto shares = [&](const auto& part) { return part.first == account.name; };
    if (account.kind == EnergyAccount::Kind::dissipation) all.push_back(fmt::format("\"{}\"", account.name));
    if (std::any_of(mode.forces.begin(), mode.forces.end(), shares))
      taking_part.push_back(fmt::format("\"{}\"", account.name));
  }
  return taking_part.empty() ? all : taking_part;
}

}  // namespace

std::optional<Diagnosis> ill_posed_from(const ConstrainedSystem& system, const State& start, const Plan& plan) {
  const auto may_stop = [](const Event& event) { return event.action == Event::Action::stop; };
  if (plan.until >= start.t || !system.has_input_power() ||
      std::any_of(plan.events.begin(), plan.events.end(), may_stop))
    return std::nullopt;
  const FastestMode mode = most_damped_mode(system, start);
  const double span = start.t - plan.until;
  if (!(mode.decay * span > all_digits)) return std::nullopt;
  const std::vector<std::string> dampers = dampers_of(system, mode);
  Diagnosis found = look_around(system, start, start, 0.0);
  found.cause = Diagnosis::Cause::ill_posed;
  found.conditioning.rows.clear();
  found.worst_constraint.clear();
  found.fastest = mode;
  const double reached = start.t - all_digits / mode.decay;
  found.happened =
      fmt::format("the run backwards from t = {:.6g} s to {:.6g} s was not started: no digit of it would hold", start.t,
                  plan.until);
  found.because = fmt::format(
      "the problem is ill-posed: backwards in time {} {} the motion instead of damping it. What dies out at "
      "{:.3g} 1/s grows by a factor of 1e{:.0f} over {:.3g} s, and every error with it",
      dampers.empty() ? "damping" : some_of(dampers), dampers.size() > 1 ? "feed" : "feeds", mode.decay,
      mode.decay * span / std::log(10.0), span);
  found.advice = fmt::format(
      "run forwards from an earlier state, take the damping away ({}), or end the run well after t = {:.3g} s, where "
      "rounding is as large as the motion",
      dampers.empty() ? "damping = 0" : fmt::format("damping = 0 in {}", some_of(dampers)), reached);
  return found;
}

bool has_lost_digits(const ConstrainedSystem& system, const State& start, const State& now, const Plan& plan) {
  constexpr double least = 1e4, most = 1e6;
  const double lost = std::clamp(0.01 / std::max(plan.tolerances.v.rtol, 1e-16), least, most);
  return growth_of_velocities(system, start, now) > lost;
}

}  // namespace raak

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
  // Small beside the system or beside the motion: then digits are left.
  const std::optional<LinearGrowth> growth = linear_growth(system, start, -span);
  if (growth && growth->errors < std::max(growth->motion, 0.0)) return std::nullopt;
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

std::string feeding_resistance(const ConstrainedSystem& system, const State& start, const State& now) {
  constexpr double most = 0.5;
  const EnergyAccounts* const accounts = system.energy_accounts();
  if (accounts == nullptr || accounts->works().empty() || accounts->work_in_closed_form()) return {};
  State moving = now;
  if (!moving.lambda.allFinite() || moving.lambda.size() != system.rows()) moving.lambda = Vector::Zero(system.rows());
  Vector rates;
  accounts->work_rates(moving, rates);
  double slowed = 0.0, sum = 0.0, strongest = 0.0;
  std::string name;
  for (Eigen::Index i = 0; i < rates.size(); ++i) {
    const EnergyAccount& account = accounts->works()[static_cast<std::size_t>(i)];
    if (account.kind == EnergyAccount::Kind::driver) continue;
    sum += std::abs(rates[i]);
    slowed += std::max(0.0, -rates[i]);
    if (!(-rates[i] > strongest)) continue;
    strongest = -rates[i];
    name = account.name;
  }
  if (!(slowed > most * sum)) return {};
  // What falls ever deeper feeds the motion too.
  Vector at_start, here;
  accounts->potential_energies(start.t, start.q, at_start);
  accounts->potential_energies(now.t, now.q, here);
  const bool falls = at_start.sum() - here.sum() > most * system.energy(now.t, now.q, now.v).kinetic;
  return falls ? std::string() : name;
}

bool has_lost_digits(const ConstrainedSystem& system, const State& start, const State& now, const Plan& plan,
                     const ErrorGrowth* errors) {
  constexpr double least = 1e4, most = 1e6;
  constexpr double largest = 1e150;  // whose square is a number
  const double rtol = std::max(plan.tolerances.v.rtol, 1e-16);
  const double growth = growth_of_velocities(system, start, now);
  if (!(growth > std::clamp(0.01 / rtol, least, most))) return false;
  const std::optional<double> beside_motion = errors != nullptr ? errors->log_factor() : std::nullopt;
  return !(growth < largest) || !beside_motion || *beside_motion > std::log(Sensitivity::holding / rtol);
}

}  // namespace raak

#include "run/diagnosis/feedback.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace raak {
namespace {

constexpr double most_of_work = 0.5;
constexpr double grows = 0.5;  // from this power on, of a velocity or a position

// The work of each potential per time: -dV/dt along the motion.
Vector power_of_potentials(const EnergyAccounts& accounts, const State& at) {
  const double speed = at.v.cwiseAbs().maxCoeff();
  const double tau = speed > 0.0 ? 1e-5 * (1.0 + at.q.cwiseAbs().maxCoeff()) / speed : 0.0;
  Vector before, after;
  accounts.potential_energies(at.t, at.q - tau * at.v, before);
  accounts.potential_energies(at.t, at.q + tau * at.v, after);
  return tau > 0.0 ? Vector((before - after) / (2.0 * tau)) : Vector(Vector::Zero(before.size()));
}

std::string words_of_power(const char* of, double p) {
  constexpr double close = 0.1;
  if (std::abs(p - 1.0) < close) return fmt::format("in proportion to the {}", of);
  if (std::abs(p - 2.0) < close) return fmt::format("with the square of the {}", of);
  if (std::abs(p - 3.0) < close) return fmt::format("with the cube of the {}", of);
  return fmt::format("with the {} to the power of {:.2g}", of, p);
}

// With which power of the way along the motion a force grows: here, and from halfway there to here.
void find_power_of_position(const EnergyAccounts& accounts, const State& at, Eigen::Index place, Feedback& found) {
  constexpr double little = 1e-3, steady = 0.1;
  const double since = at.q.dot(at.v) / at.v.squaredNorm();  // s, from where the position was none, at this velocity
  Vector work;
  const auto log_at = [&](double part) {
    State moved = at;
    moved.q += (part - 1.0) * since * at.v;
    accounts.work_rates(moved, work);
    return std::log(std::abs(work[place]));
  };
  const double here = (log_at(1.0 + little) - log_at(1.0)) / std::log1p(little);
  const double from_halfway = (log_at(1.0) - log_at(0.5)) / std::log(2.0);
  found.is_power = std::abs(here - from_halfway) < steady;
  // With a velocity that feeds it already, what is not a power may be how the mechanism stands.
  const bool counts = found.power_of_velocity > grows ? found.is_power : from_halfway > grows;
  found.power_of_position = counts && here > grows ? here : 0.0;
}

}  // namespace

std::optional<Feedback> find_feedback(const ConstrainedSystem& system, const State& at, double direction) {
  const EnergyAccounts* const accounts = system.energy_accounts();
  if (accounts == nullptr || at.v.size() == 0 || !at.q.allFinite() || !at.v.allFinite()) return std::nullopt;
  Feedback found;
  double most = 0.0, sum = 0.0;
  std::optional<Eigen::Index> among_works;
  const auto consider = [&](const EnergyAccount& account, double power, std::optional<Eigen::Index> place) {
    if (account.kind == EnergyAccount::Kind::driver || !(direction * power > 0.0)) return;
    sum += direction * power;
    if (direction * power <= most) return;
    most = direction * power;
    found.force = account.name.substr(0, account.name.find(", moved"));
    found.kind = account.kind;
    among_works = place;
  };
  const Vector stored = power_of_potentials(*accounts, at);
  for (std::size_t i = 0; i < accounts->potentials().size(); ++i)
    consider(accounts->potentials()[i], stored[static_cast<Eigen::Index>(i)], std::nullopt);
  State moving = at;
  if (!moving.lambda.allFinite() || moving.lambda.size() != system.rows()) moving.lambda = Vector::Zero(system.rows());
  Vector work;
  if (!accounts->works().empty() && !accounts->work_in_closed_form()) {
    accounts->work_rates(moving, work);
    for (std::size_t i = 0; i < accounts->works().size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      consider(accounts->works()[i], work[k], k);
    }
  }
  if (!(most > most_of_work * sum) || found.force == "gravity") return std::nullopt;
  if (among_works) {  // its power grows with one power more than the force
    constexpr double little = 1e-3;
    moving.v *= 1.0 + little;
    Vector faster;
    accounts->work_rates(moving, faster);
    found.power_of_velocity = std::log(faster[*among_works] / work[*among_works]) / std::log1p(little) - 1.0;
    moving.v = at.v;
    find_power_of_position(*accounts, moving, *among_works, found);
  }
  return found;
}

bool Feedback::feeds() const {
  return kind == EnergyAccount::Kind::potential || power_of_velocity > grows || power_of_position > grows;
}

std::string text_of(const Feedback& feedback, double t) {
  const double p = feedback.power_of_velocity, r = feedback.power_of_position;
  constexpr double exponential = 1.1;
  if (feedback.kind == EnergyAccount::Kind::potential)
    return fmt::format("the force \"{}\" drives the motion further the further it goes: its energy falls without bound",
                       feedback.force);
  if (!feedback.feeds()) return fmt::format("the force \"{}\" does most of the work that drives it", feedback.force);
  const std::string by_velocity = p > grows ? words_of_power("velocity", p) + " it acts along" : "";
  const std::string by_position =
      r > grows ? (feedback.is_power ? words_of_power("position", r) : "with the position") + " it drives" : "";
  return fmt::format("the {} \"{}\" grows {}{}{} and feeds it{}",
                     feedback.kind == EnergyAccount::Kind::dissipation ? "damper" : "force", feedback.force,
                     by_velocity, by_velocity.empty() || by_position.empty() ? "" : " and ", by_position,
                     std::max(p, 0.0) + r > exponential ? fmt::format(": the motion diverges at t = {:.6g} s", t)
                                                        : ", so that it grows exponentially");
}

std::string advice_on(const Feedback& feedback) {
  const bool opposes = feedback.kind != EnergyAccount::Kind::potential && feedback.power_of_velocity > grows;
  const bool restores = !opposes && feedback.power_of_position > grows;
  return fmt::format("check the sign of \"{}\"{}, or end the run before that time", feedback.force,
                     opposes    ? " (drag and damping act against the velocity)"
                     : restores ? " (a force that restores acts against the displacement)"
                     : feedback.kind == EnergyAccount::Kind::potential ? " (a stiffness is positive)"
                                                                       : "");
}

}  // namespace raak

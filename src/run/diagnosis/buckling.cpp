#include "run/diagnosis/buckling.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text/some_of.h"
#include "system/energy_accounts.h"

namespace raak {
namespace {

constexpr double velocity_worth_naming = 0.1;  // of the largest velocity
constexpr double hardly_moved = 1e-4;          // of the scales of coordinates

// The coordinates that users know.
std::string running_away(const ConstrainedSystem& system, const State& last) {
  State shown;
  system.report_motion(last, shown);
  const double largest = shown.v.cwiseAbs().maxCoeff();
  std::vector<std::string> names;
  for (Eigen::Index i = 0; i < shown.v.size(); ++i)
    if (std::abs(shown.v[i]) > velocity_worth_naming * largest)
      names.push_back(fmt::format("\"{}\"", system.reported().velocities[static_cast<std::size_t>(i)]));
  return some_of(names);
}

}  // namespace

std::optional<Buckling> find_buckling(const ConstrainedSystem& system, const State& start, const State& last,
                                      const Feedback& feedback) {
  const EnergyAccounts* const accounts = system.energy_accounts();
  if (accounts == nullptr || feedback.kind != EnergyAccount::Kind::potential) return std::nullopt;
  const auto& list = accounts->potentials();
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const EnergyAccount& a) { return a.name == feedback.force; });
  if (found == list.end()) return std::nullopt;
  const Eigen::Index place = found - list.begin();
  Vector energies;
  const auto energy = [&](double t, const Vector& q) {
    accounts->potential_energies(t, q, energies);
    return energies[place];
  };
  const double fastest = last.v.cwiseQuotient(system.coordinate_scales()).cwiseAbs().maxCoeff();
  const Vector way = (hardly_moved / fastest) * last.v;
  const double now = energy(start.t, start.q);
  if (!(energy(start.t, start.q + way) + energy(start.t, start.q - way) > 2.0 * now)) return std::nullopt;
  return Buckling{feedback.force, running_away(system, last), now, energy(last.t, last.q)};
}

std::string text_of(const Buckling& b, double t) {
  return fmt::format(
      "buckling: about the start \"{}\" holds {} in place, but its energy has no lower bound; the motion has left that "
      "well, the energy falls from {:.3g} J without end, and the motion diverges at t = {:.9g} s",
      b.force, b.coordinates, b.before, t);
}

std::string advice_on(const Buckling& b) {
  return fmt::format(
      "a slower drive or less load, more stiffness or damping in \"{}\", or end the run before that time", b.force);
}

}  // namespace raak

#include "run/diagnosis/runaway_driver.h"

#include <algorithm>
#include <cmath>

#include "system/energy_accounts.h"

namespace raak {

std::string runaway_driver(const ConstrainedSystem& system, const State& start, const State& last) {
  constexpr double far_beyond = 1e3;
  const EnergyAccounts* const accounts = system.energy_accounts();
  const Eigen::Index m = system.rows();
  if (accounts == nullptr || m == 0 || !last.q.allFinite()) return "";
  // g_t, what drivers ask for: at the end, and at most before.
  const auto asked_at = [&](double t) {
    Vector asked(m);
    system.velocity_constraint(t, last.q, Vector::Zero(system.coordinates()), asked);
    return asked;
  };
  const Vector asked = asked_at(last.t);
  Vector before = Vector::Zero(m);
  for (const double share : {0.0, 0.25, 0.5, 0.75})
    before = before.cwiseMax(asked_at(start.t + share * (last.t - start.t)).cwiseAbs());
  for (Eigen::Index i = 0; i < m; ++i) {
    if (!(std::abs(asked[i]) > far_beyond * before[i])) continue;
    std::string name = system.description().constraints[static_cast<std::size_t>(i)].name();
    const auto& works = accounts->works();
    const bool drives = std::any_of(works.begin(), works.end(), [&](const EnergyAccount& account) {
      return account.kind == EnergyAccount::Kind::driver && account.name == name;
    });
    if (drives) return name;
  }
  return "";
}

}  // namespace raak

#include "kinematics/start/start_refusals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/some_of.h"
#include "kinematics/start/open_joints.h"
#include "system/energy_accounts.h"

namespace raak {

void require_values(const ConstrainedSystem& system, double t, const Vector& start) {
  Vector g(system.position_rows());
  system.constraint(t, start, g);
  const std::vector<Row>& rows = system.description().constraints;
  for (Eigen::Index i = 0; i < g.size(); ++i)
    if (!std::isfinite(g[i]))
      throw StartFailure(
          StartFailure::Cause::undefined,
          fmt::format("constraint \"{}\" has no value at the start: its formula divides by zero there, takes the root "
                      "or logarithm of a negative number, or grows beyond all numbers",
                      rows[static_cast<std::size_t>(i)].name()),
          "change the formula, or start where it has a value");
}

void refuse_open_joints(const ConstrainedSystem& system, std::vector<OpenJoint> open) {
  const std::vector<Row>& rows = system.description().constraints;
  const bool given = !open.empty() && std::all_of(open.begin(), open.end(), [&](const OpenJoint& joint) {
    return std::any_of(rows.begin(), rows.end(),
                       [&](const Row& row) { return row.may_be_wrong() && row.owner == joint.name; });
  });
  const std::string gaps = text_of(open, given ? "is missed" : "stays open");
  if (given)
    throw StartFailure(StartFailure::Cause::unreachable_values,
                       "the values given cannot be reached: with all joints closed " + gaps,
                       "give fewer of them, or other values", std::move(open));
  throw StartFailure(StartFailure::Cause::open_joints,
                     "the mechanism cannot be assembled: at best, with all others closed, " + gaps,
                     "change the dimensions, or start from another guess", std::move(open));
}

void refuse_almost_closed(const ConstrainedSystem& system, double t, const Vector& q) {
  Vector g(system.position_rows());
  system.constraint(t, q, g);
  Eigen::Index row = 0;
  g.cwiseAbs().maxCoeff(&row);
  const double gap = std::abs(g[row]) * system.row_units()[row];
  const Row& open = system.description().constraints[static_cast<std::size_t>(row)];
  throw StartFailure(
      StartFailure::Cause::open_joints,
      fmt::format("the mechanism can just not be closed: the search ends at a gap of {:.2g}{}{} in \"{}\", where its "
                  "links are stretched to the full",
                  gap, open.unit.empty() ? "" : " ", open.unit, open.owner),
      "change the dimensions a little, or start from another guess", {{open.owner, gap, open.unit}});
}

void refuse_rates_beside_singularity(const ContradictingRates& rates, double fastest) {
  constexpr double agree = 1e-10;
  for (const OpenJoint& missed : rates.missed)
    if (missed.gap > agree * fastest) return;
  throw StartFailure(
      StartFailure::Cause::singular,
      "the start is a singular configuration, or so near to one that rounding decides which motion begins there",
      "trust the rate of one more body under [start], with a guess of the configuration that shows the branch, or "
      "start a "
      "little beside the configuration");
}

void refuse_undefined_forces(const ConstrainedSystem& system, State state) {
  std::vector<std::string> names;
  const auto add = [&](const std::vector<EnergyAccount>& accounts, const Vector& values) {
    for (Eigen::Index i = 0; i < values.size(); ++i) {
      const std::string name = fmt::format("\"{}\"", accounts[static_cast<std::size_t>(i)].name);
      if (!std::isfinite(values[i]) && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  };
  const EnergyAccounts* const accounts = system.energy_accounts();
  if (accounts != nullptr && !accounts->work_in_closed_form()) {
    Vector values;
    accounts->potential_energies(state.t, state.q, values);
    add(accounts->potentials(), values);
    state.lambda.setZero();
    // At rest the power of a force is none, whatever the force is.
    for (double& v : state.v) v += v == 0.0 ? 1e-3 : 0.0;
    accounts->work_rates(state, values);
    add(accounts->works(), values);
  }
  // Prescribed motions: their rates, or what the rates change by.
  if (names.empty() && system.rows() > 0) {
    Vector rate(system.rows());
    Vector bias(system.rows());
    system.velocity_constraint(state.t, state.q, state.v, rate);
    system.acceleration_bias(state.t, state.q, state.v, bias);
    for (Eigen::Index i = 0; i < rate.size(); ++i)
      if (!std::isfinite(rate[i]) || !std::isfinite(bias[i]))
        names.push_back(fmt::format("\"{}\"", system.description().constraints[static_cast<std::size_t>(i)].name()));
  }
  if (names.empty())
    throw StartFailure(
        StartFailure::Cause::not_finite,
        "the accelerations at the start are not finite numbers: a force or the mass matrix is not defined there",
        "check the sizes of masses, inertias, forces and rates, and the start");
  throw StartFailure(StartFailure::Cause::undefined,
                     fmt::format("{} {} no value at the start, t = {:.6g} s: a formula there divides by zero, takes "
                                 "the root or logarithm of a negative number, or grows beyond all numbers",
                                 some_of(names), names.size() == 1 ? "has" : "have", state.t),
                     "change the formula, or start where it has a value");
}

}  // namespace raak

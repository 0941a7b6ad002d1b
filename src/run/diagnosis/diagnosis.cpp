#include "run/diagnosis/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text/some_of.h"
#include "base/text/text.h"
#include "run/diagnosis/backward_damping.h"
#include "run/diagnosis/broken_motion.h"
#include "run/diagnosis/buckling.h"
#include "run/diagnosis/causes.h"
#include "run/diagnosis/feedback.h"
#include "run/diagnosis/locked.h"
#include "run/diagnosis/runaway_driver.h"
#include "run/watches/growth.h"

namespace raak {
namespace {

using Cause = Diagnosis::Cause;

constexpr double small_residual = 1e-6;  // SI
constexpr double far_from_start = 1e-2;  // of the conditioning: the configuration has become singular on the way

void find_residual(const ConstrainedSystem& system, const State& last, Diagnosis& to) {
  if (system.position_rows() == 0) return;
  Vector g(system.position_rows());
  system.constraint(last.t, last.q, g);
  g(normalization_rows(system.description().constraints)).setZero();
  Eigen::Index row = 0;
  to.worst_residual = g.cwiseAbs().maxCoeff(&row);
  to.worst_constraint = system.description().constraints[static_cast<std::size_t>(row)].name();
}

// Names of the accounts whose energies are not finite.
void add_undefined(const std::vector<EnergyAccount>& accounts, const Vector& energies,
                   std::vector<std::string>& names) {
  for (std::size_t i = 0; i < accounts.size() && static_cast<Eigen::Index>(i) < energies.size(); ++i) {
    if (std::isfinite(energies[static_cast<Eigen::Index>(i)]) || accounts[i].kind == EnergyAccount::Kind::driver)
      continue;
    const std::string name = fmt::format("force \"{}\"", accounts[i].name.substr(0, accounts[i].name.find(", moved")));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
}

// The forces and constraints that have no value in a state; where forces do not report what they do alone, the
// coordinates that they act on.
std::vector<std::string> undefined_at(const ConstrainedSystem& system, State state) {
  std::vector<std::string> names;
  Vector g(system.position_rows()), f = Vector::Zero(system.coordinates());
  if (g.size() > 0) system.constraint(state.t, state.q, g);
  for (Eigen::Index i = 0; i < g.size(); ++i)
    if (!std::isfinite(g[i]))
      names.push_back(
          fmt::format("constraint \"{}\"", system.description().constraints[static_cast<std::size_t>(i)].name()));
  if (!system.has_dense_matrices()) return names;
  system.force(state.t, state.q, state.v, f);
  if (f.allFinite()) return names;
  const std::size_t of_constraints = names.size();
  if (const EnergyAccounts* const accounts = system.energy_accounts()) {
    Vector energies;
    accounts->potential_energies(state.t, state.q, energies);
    add_undefined(accounts->potentials(), energies, names);
    if (!accounts->work_in_closed_form()) {
      state.lambda.setZero();
      // At rest the power of a force is none, whatever the force is.
      for (double& v : state.v) v += v == 0.0 ? 1e-3 : 0.0;
      accounts->work_rates(state, energies);
      add_undefined(accounts->works(), energies, names);
    }
  }
  for (Eigen::Index i = 0; i < f.size() && names.size() == of_constraints; ++i)
    if (!std::isfinite(f[i]))
      names.push_back(fmt::format("force on \"{}\"", system.description().coordinates[static_cast<std::size_t>(i)]));
  return names;
}

// A little further on, constraints or forces have no value: these.
std::vector<std::string> end_here(const ConstrainedSystem& system, const State& last, double direction) {
  State beyond = last;
  beyond.lambda.resize(system.rows());
  for (const double reach : {1e-9, 1e-6, 1e-4}) {
    beyond.t = last.t + direction * reach * std::max(1.0, std::abs(last.t));
    for (const double along : {0.0, 1.0}) {  // in the same configuration, and where the motion leads
      beyond.q = last.q + along * (beyond.t - last.t) * last.v;
      if (std::vector<std::string> names = undefined_at(system, beyond); !names.empty()) return names;
    }
  }
  return {};
}

std::string named(const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  return some_of(names, most);
}

// The driver among the constraints that line up; empty: there is none.
std::string sharing_driver(const ConstrainedSystem& system, const Conditioning& conditioning) {
  const EnergyAccounts* const accounts = system.energy_accounts();
  if (accounts == nullptr) return "";
  for (const EnergyAccount& account : accounts->works()) {
    const auto shares = [&](const auto& row) { return row.first.name() == account.name; };
    if (account.kind == EnergyAccount::Kind::driver &&
        std::any_of(conditioning.rows.begin(), conditioning.rows.end(), shares))
      return account.name;
  }
  return "";
}

}  // namespace

// Accelerations that grow alone come from a force without bounds in a place that the motion reaches; if the motion runs
// away, velocities grow with them.
void blame_growth(const ConstrainedSystem& system, const State& start, const State& last, const Plan& plan,
                  Diagnosis& found) {
  const double direction = plan.until >= start.t ? 1.0 : -1.0;
  if (const std::string resistance = direction < 0.0 ? feeding_resistance(system, start, last) : "";
      !resistance.empty()) {
    found.cause = Cause::ill_posed;
    found.because = fmt::format(
        "the problem is ill-posed: backwards in time \"{}\" feeds the motion instead of damping it, and every error "
        "grows with {}",
        resistance, found.growing);
    found.advice = fmt::format(
        "run forwards from an earlier state, take the damping of \"{}\" away, or go back less far", resistance);
    return;
  }
  const auto feedback = plan.fixed_step > 0.0 ? std::nullopt : find_feedback(system, last, direction);
  const bool moves_off = !found.growing.starts_with("the acceleration");
  if (const auto buckling = feedback && moves_off ? find_buckling(system, start, last, *feedback) : std::nullopt) {
    found.cause = Cause::buckling;
    found.because = text_of(*buckling, last.t);
    found.advice = advice_on(*buckling);
    return;
  }
  if (feedback && feedback->feeds() && moves_off) {
    found.cause = Cause::blow_up;
    found.because = text_of(*feedback, last.t);
    found.advice = advice_on(*feedback);
    return;
  }
  if (!moves_off) {
    found.cause = Cause::undefined;
    found.because = found.growing +
                    " grows without bound, while positions and velocities do not: a force has no value beyond this "
                    "point, as where a denominator passes zero";
    found.advice = "check the denominators of the forces that act on it, or end the run before that time";
    return;
  }
  found.cause = Cause::blow_up;
  found.because = found.growing + " grows without bound";
  if (const std::string driver = runaway_driver(system, start, last); !driver.empty()) {
    found.because = fmt::format("driver \"{}\" prescribes a motion that grows without bound", driver);
    found.advice = fmt::format("check the motion of \"{}\", or end the run before that time", driver);
    return;
  }
  found.advice = plan.fixed_step > 0.0 ? "a smaller --step, or none: the method then chooses its steps"
                                       : "check the signs and sizes of the forces that act on it";
}

std::string words_at_singularity(const State& start, const State& last) {
  return last.t == start.t ? "the mechanism starts in a singular configuration"
                           : "the mechanism has come to a singular configuration";
}

std::string advice_at_singularity(const ConstrainedSystem& system, const Plan& plan) {
  std::string change = "change a length or a driver so that these constraints do not line up";
  if (!system.has_dense_matrices())
    return "end the run before that time, or take fewer bodies: up to 200 in the plane, with few freedoms up to 500, "
           "pass momentary ones, since they are solved in independent coordinates";
  if (find_method(plan.method).crosses_singularities) return change;
  return fmt::format("--method tangent, which steps over momentary ones, or {}", change);
}

const std::string& cause_name(Cause cause) {
  static const std::array<std::string, 17> names{"none",
                                                 "impossible assembly",
                                                 "redundant constraints",
                                                 "contradictory constraints",
                                                 "singular pose",
                                                 "blow-up",
                                                 "undefined",
                                                 "stiffness",
                                                 "tolerance below precision",
                                                 "structure",
                                                 "no room",
                                                 "locked",
                                                 "ill-posed",
                                                 "half a turn",
                                                 "sensitive motion",
                                                 "buckling",
                                                 "no smooth start"};
  return names.at(static_cast<std::size_t>(cause));
}

Diagnosis look_around(const ConstrainedSystem& system, const State& start, const State& last, double step) {
  Diagnosis found;
  found.t = last.t;
  found.step = std::abs(step);
  found.conditioning = conditioning_at(system, last.t, last.q, row_lengths(system, start.t, start.q));
  find_growth(system, start, last, found);
  find_residual(system, last, found);
  return found;
}

Diagnosis diagnose_small_step(const ConstrainedSystem& system, const State& start, const State& last, const Plan& plan,
                              double step, const char* trouble) {
  Diagnosis found = look_around(system, start, last, step);
  found.happened = fmt::format("no acceptable step from t = {:.9g} s: steps down to {:.1e} s were tried{}", last.t,
                               found.step, trouble != nullptr ? fmt::format(" ({})", trouble) : "");
  const double singular = found.conditioning.ratio;
  const double at_start = conditioning_at(system, start.t, start.q, row_lengths(system, start.t, start.q)).ratio;
  const double direction = plan.until >= start.t ? 1.0 : -1.0;
  if (blame_jumping_row(system, last, direction, found)) return found;
  if (const auto lock = find_lock(system, start, last)) {
    blame_lock(*lock, plan, found);
    // NOLINTNEXTLINE(bugprone-branch-clone): growth beyond rounding comes before other causes, less of it after them
  } else if (has_run_away(system, start, last)) {
    blame_growth(system, start, last, plan, found);
  } else if (const auto undefined = end_here(system, last, direction); !undefined.empty()) {
    found.cause = Cause::undefined;
    found.because =
        fmt::format("{} {} no value beyond this point", named(undefined), undefined.size() == 1 ? "has" : "have");
    found.advice = "end the run before that time, or check the parameters (a root, logarithm or division)";
  } else if (singular < RankPolicy::regular && (found.growth < runs_away || singular < far_from_start * at_start)) {
    // Near a singular configuration velocities grow too: that is its effect and not its cause.
    found.cause = Cause::singular_configuration;
    found.because = words_at_singularity(start, last);
    found.advice = advice_at_singularity(system, plan);
    // Where a motion comes to the end of what the joints allow, speeds grow like the inverse root of the time left.
    if (const std::string driver = sharing_driver(system, found.conditioning);
        !driver.empty() && found.growth >= runs_away) {
      found.because += fmt::format(", the last one that the joints allow \"{}\", which asks for more", driver);
      found.advice = fmt::format("end the run before that time, or let \"{}\" turn back there", driver);
    }
  } else if (found.growth >= runs_away) {
    blame_growth(system, start, last, plan, found);
  } else if (plan.tolerances.q.rtol < 1e-12) {
    found.cause = Cause::tolerance_below_precision;
    found.because = fmt::format("rounding errors are larger than rtol = {:.1e} allows", plan.tolerances.q.rtol);
    found.advice = "--rtol 1e-12";
  } else if (plan.tolerances.q.rtol < find_method(plan.method).tightest_rtol) {
    found.cause = Cause::tolerance_below_precision;
    found.because = fmt::format("\"{}\" is not made for rtol = {:.1e}", plan.method, plan.tolerances.q.rtol);
    found.advice = fmt::format("--rtol {:.0e}, or --method auto", find_method(plan.method).tightest_rtol);
  } else if (trouble != nullptr) {
    found.cause = Cause::undefined;
    found.because = "no position satisfies the constraints beyond this point, or the forces jump there";
    found.advice = "end the run before that time, or check the parameters";
  } else {
    found.cause = Cause::undefined;
    found.because = fmt::format("the error cannot be brought below rtol = {:.1e}, atol = {:.1e}: a force may jump here",
                                plan.tolerances.q.rtol, plan.tolerances.q.atol);
    found.advice = "a larger --rtol, or a force that changes smoothly";
  }
  return found;
}

Diagnosis diagnose_growth(const ConstrainedSystem& system, const State& start, const State& last, const Plan& plan,
                          double step) {
  Diagnosis found = look_around(system, start, last, step);
  found.happened = fmt::format("stopped at t = {:.9g} s of {:.6g} s", last.t, plan.until);
  blame_growth(system, start, last, plan, found);
  return found;
}

std::string text_of(const Diagnosis& d) {
  std::string text = d.happened + ". Cause: " + d.because;
  std::vector<std::string> facts;
  if (d.cause == Cause::blow_up && d.because.starts_with(d.growing))
    facts.push_back(fmt::format("it is {:.3g}", d.grown_to));
  else if (d.growth >= worth_a_name && d.cause != Cause::locked)
    facts.push_back(fmt::format("{} has grown to {:.3g}", d.growing, d.grown_to));
  // Where the motion itself runs away, constraints that are as they should be are no news.
  const bool names_all = !d.runs_off() && d.cause != Cause::locked && d.cause != Cause::ill_posed;
  if (!d.conditioning.rows.empty() && (names_all || (d.runs_off() && d.conditioning.ratio < RankPolicy::regular)))
    facts.push_back(fmt::format("the smallest singular value of the constraints is {:.1e} of the largest, shared by {}",
                                d.conditioning.ratio, names_of(d.conditioning)));
  if (!d.worst_constraint.empty() && (names_all || d.worst_residual > small_residual))
    facts.push_back(fmt::format("the largest residual is {:.1e}, of \"{}\"", d.worst_residual, d.worst_constraint));
  if (!facts.empty()) text += " (" + join(facts, "; ") + ")";
  return text + ". Try: " + d.advice;
}

}  // namespace raak

#include "run/plan_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/text/text.h"
#include "kinematics/start/consistent_start.h"

namespace raak {
namespace {

constexpr double double_precision = 1e-14;    // what double can hold
constexpr long default_budget = 200'000'000;  // some minutes of a small system
constexpr long budget_of_fixed_steps = 1'000'000'000;
constexpr double smallest_time = 1e-6;           // of the span: what the shortest step is compared with at t = 0
constexpr double largest_start_residual = 1e-6;  // of a constraint at the start, beside the size of what moves
constexpr double largest_size = 1e3;             // that counts there for positions: far away a gap is a gap too

void require_small(const ConstrainedSystem& system, const Vector& residual, double size, const char* what) {
  if (residual.size() == 0) return;
  Eigen::Index row = 0;
  residual.cwiseQuotient(system.row_scales().head(residual.size())).cwiseAbs().maxCoeff(&row);
  const double worst = std::abs(residual[row]);
  if (worst <= largest_start_residual * size * system.row_scales()[row]) return;
  refuse(
      fmt::format("the start does not satisfy the constraints: {} \"{}\" is off by {:.3g}. Expected: a consistent "
                  "start, found from trusted values and guesses",
                  what, system.description().constraints[static_cast<std::size_t>(row)].name(), worst));
}

// That the constraints hold at the start; of the index-2 form their rates alone, since it never sees the positions.
void require_consistent(const ConstrainedSystem& system, const State& start, Form form, double span) {
  const auto size_of = [&](const Vector& x) {
    return x.cwiseQuotient(system.coordinate_scales()).cwiseAbs().maxCoeff();
  };
  Vector g(system.position_rows()), c(system.rows());
  if (form != Form::index2 && g.size() > 0) {
    system.constraint(start.t, start.q, g);
    require_small(system, g, 1.0 + std::min(largest_size, size_of(start.q)), "position row");
  }
  if (c.size() == 0) return;
  system.velocity_constraint(start.t, start.q, start.v, c);
  // Rates that move nothing by more than rounding until the end are rest.
  const double speed = size_of(start.v);
  const bool moves = speed * span > std::numeric_limits<double>::epsilon();
  require_small(system, c, moves ? speed : 1.0, "the rate of row");
}

}  // namespace

double shortest_step(double t, double span) {
  constexpr double longest = 1.0;  // s: a far end says nothing of how short steps have to be
  return 16.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), std::min(smallest_time * span, longest));
}

namespace {

// To what double can hold; atol with it, as far as it asks for as much.
void lift(Tolerance& t) {
  for (double* atol : {&t.atol, &t.length_atol})
    *atol = std::max(*atol, std::min(*atol / t.rtol * double_precision, double_precision));
  t.rtol = double_precision;
}

}  // namespace

Tolerances usable(const MethodInfo& method, Tolerances tolerances, std::vector<Note>& notes) {
  const auto warn = [&](std::string text) {
    notes.push_back(
        {Note::Severity::warning, Note::When::before, std::move(text), Diagnosis::Cause::tolerance_below_precision});
  };
  bool lifted = false;
  for (Tolerance* t : {&tolerances.q, &tolerances.v}) {
    if (!(t->rtol > 0.0) || !std::isfinite(t->rtol))
      throw Error(ErrorKind::request, fmt::format("rtol must be a positive number, found {}", t->rtol));
    if (!(t->atol > 0.0) || !std::isfinite(t->atol))
      throw Error(ErrorKind::request, fmt::format("atol must be a positive number, found {}", t->atol));
    if (!(t->length_atol >= 0.0) || !std::isfinite(t->length_atol))
      throw Error(
          ErrorKind::request,
          fmt::format("atol of lengths must be a positive number, or 0 for that of the other coordinates, found {}",
                      t->length_atol));
    if (t->rtol < double_precision && !method.refuses_tiny_tolerance) {
      if (!lifted)
        warn(fmt::format("rtol {:.1e} is below what double precision can hold; integrated at {:.0e}", t->rtol,
                         double_precision));
      lifted = true;
      lift(*t);
    }
  }
  if (const Tolerance& t = tolerances.lambda; !(t.rtol >= 0.0) || !(t.atol >= 0.0))
    refuse(
        fmt::format("the tolerances of the multipliers must not be below zero, found rtol {} and atol {}: an infinite "
                    "atol leaves the multipliers alone",
                    t.rtol, t.atol));
  if (Tolerance& t = tolerances.lambda; t.rtol > 0.0 && t.rtol < double_precision && !method.refuses_tiny_tolerance)
    lift(t);
  if (tolerances.q.rtol < method.rounding_floor)
    warn(
        fmt::format("rtol {:.1e} was asked for, and rounding errors keep \"{}\" from holding less than about {:.0e}: "
                    "--method auto has the digits in far fewer steps",
                    tolerances.q.rtol, method.name, method.rounding_floor));
  else if (tolerances.q.rtol < method.tightest_rtol)
    warn(
        fmt::format("rtol {:.1e} is tighter than \"{}\" is made for (down to {:.0e}): it needs very many steps. "
                    "--method auto needs far fewer",
                    tolerances.q.rtol, method.name, method.tightest_rtol));
  return tolerances;
}

void require_plan(const ConstrainedSystem& system, const State& start, const Plan& plan) {
  require_sizes(system, start);
  if (!std::isfinite(plan.until)) refuse(fmt::format("the end time must be a finite number, found {}", plan.until));
  if (!(plan.first_step >= 0.0) || !std::isfinite(plan.first_step))
    refuse(fmt::format("the first step must be a positive number, found {}", plan.first_step));
  if (!(plan.fixed_step >= 0.0) || !std::isfinite(plan.fixed_step))
    refuse(fmt::format("a fixed step must be a positive number, found {}", plan.fixed_step));
  if (!std::isfinite(start.t)) refuse(fmt::format("the time of the start must be a finite number, found {}", start.t));
  if (!start.q.allFinite() || !start.v.allFinite()) refuse("the start is not finite: make it consistent first");
  const double shortest = shortest_step(start.t, std::abs(plan.until - start.t));
  if (plan.first_step > 0.0 && plan.first_step <= shortest && plan.until != start.t)
    refuse(
        fmt::format("a first step of {:.3g} s is lost in the rounding of the time: from t = {:.6g} s to {:.6g} s it "
                    "must be longer than {:.1e} s",
                    plan.first_step, start.t, plan.until, shortest));
  if (plan.max_steps < 0)
    refuse(fmt::format("max_steps must be positive, or 0 for the method's own budget, found {}", plan.max_steps));
  for (const Event& event : plan.events)
    if (!event.value) refuse(fmt::format("event \"{}\" has no function to watch: set Event::value", event.name));
  const double direction = plan.until >= start.t ? 1.0 : -1.0;
  for (const std::vector<double>* times : {&plan.sample_times, &plan.frame_times}) {
    double before = start.t;
    for (const double t : *times) {
      if (!((t - before) * direction >= 0.0) || !((plan.until - t) * direction >= 0.0))
        refuse(fmt::format("sample times must go from the start to the end of the run, found {} after {}", t, before));
      before = t;
    }
  }
  require_consistent(system, start, usable_form(serving_method(system, find_method(plan.method)), plan.form),
                     std::abs(plan.until - start.t));
}

const MethodInfo& serving_method(const ConstrainedSystem& system, const MethodInfo& asked) {
  const bool serves = system.has_dense_matrices() && !(asked.holonomic_only && system.velocity_rows() > 0);
  return serves || asked.stand_in.empty() ? asked : find_method(asked.stand_in);
}

std::string stand_in_warning(const ConstrainedSystem& system, const std::string& asked, const std::string& used) {
  const std::string why = !system.has_dense_matrices()
                              ? fmt::format("{} are too many to choose from", system.coordinates())
                              : "the system has velocity constraints";
  return fmt::format("\"{}\" chooses independent coordinates, and {}: \"{}\" was used in its place", asked, why, used);
}

Form usable_form(const MethodInfo& method, std::optional<Form> form) {
  if (form && !method.has(*form)) throw Error(ErrorKind::request, missing_form(method, *form));
  return form.value_or(method.forms.front());
}

void require_usable_step(double fixed_step, double span, long budget) {
  if (!(fixed_step >= 0.0) || !std::isfinite(fixed_step))
    throw Error(ErrorKind::request,
                fmt::format("a fixed step must be a positive number of seconds, found {}", fixed_step));
  if (fixed_step > 0.0 && span / fixed_step > static_cast<double>(budget))
    throw Error(ErrorKind::request,
                fmt::format("steps of {} s over {} s are more than the budget of {} steps", fixed_step, span, budget));
}

long budget_of(const MethodInfo& method, const Plan& plan) {
  if (plan.max_steps > 0) return plan.max_steps;
  if (plan.fixed_step > 0.0) return budget_of_fixed_steps;
  return method.step_budget > 0 ? method.step_budget : default_budget;
}

}  // namespace raak

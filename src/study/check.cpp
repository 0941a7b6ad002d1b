#include "study/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text/text.h"
#include "modelfile/history_file.h"
#include "modelfile/known_values.h"
#include "run/run_request.h"

namespace raak {
namespace {

constexpr double declared_rtol = 1e-10;     // the tolerance that required_scd speaks of, unless a run's is tighter
constexpr double largest_residual = 1e-12;  // SI, at each level that the form imposes, of coordinates of size 1

// A looser tolerance may cost a digit a decade, a tighter one must not do worse; a method other than the default may
// fall behind it by the digits that it admits.
double required_of(double declared, const MethodInfo& method, double rtol, double rtol_of_run) {
  const double looser = std::max(0.0, std::log10(rtol / rtol_of_run));
  return std::max(0.0, declared - looser - method.shortfall);
}

// Which component is off by more than the tolerance at some time, the worst first; empty: none.
std::string first_beyond(const CheckRow& row) {
  const Deviation* worst = nullptr;
  for (const Deviation& d : row.history)
    if (!(d.difference <= row.tolerance) && (worst == nullptr || d.difference > worst->difference)) worst = &d;
  if (worst == nullptr) return {};
  return fmt::format("{} is {:.10g} at t = {:.9g} s, {:.1e} off {:.10g}: more than {:.0e}", worst->name, worst->value,
                     worst->t, worst->difference, worst->reference, row.tolerance);
}

std::string verdict(const CheckRow& row, const Reference& reference, const State& end) {
  if (reference.kind == Reference::Kind::history) return row.judged ? first_beyond(row) : std::string();
  const double size = std::max({1.0, end.q.lpNorm<Eigen::Infinity>(), end.v.lpNorm<Eigen::Infinity>()});
  const double largest = largest_residual * size;  // what rounding leaves grows with what is rounded
  if (!row.accuracy.scd && row.history.empty()) return "no digits could be counted";
  if (row.tolerance > 0.0) {
    if (std::string over_time = first_beyond(row); !over_time.empty()) return over_time;
    for (const Compared& c : row.compared)
      if (!(c.difference <= row.tolerance))
        return fmt::format("{} is {:.10g}, {:.1e} off {:.10g}: more than {:.0e}", c.name, c.value, c.difference,
                           c.reference, row.tolerance);
  }
  const bool counts_digits = row.required > 0.0 || row.tolerance == 0.0;
  if (counts_digits && row.accuracy.scd && *row.accuracy.scd < row.required)
    return fmt::format("scd {:.2f} is below {:.2f}", *row.accuracy.scd, row.required);
  if (holds_positions(*row.form) && !(row.quality.position_residual <= largest))
    return fmt::format("position residual {:.1e} is above {:.0e}", row.quality.position_residual, largest);
  if (holds_velocities(*row.form) && !(row.quality.velocity_residual <= largest))
    return fmt::format("velocity residual {:.1e} is above {:.0e}", row.quality.velocity_residual, largest);
  const double allowed = reference.largest_drift * std::max(1.0, row.rtol / declared_rtol);
  if (reference.largest_drift > 0.0 && !(row.quality.energy_drift <= allowed))
    return fmt::format("energy drift {:.1e} J is above {:.0e} J", row.quality.energy_drift, allowed);
  return {};
}

// A start that cannot be assembled is a check that is not met, not the end of all checks.
Result integrate_or_tell(const Model& model, const Plan& plan, const Observer& observer) {
  try {
    return integrate(*model.system, consistent_start(model), plan, observer);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::computation) throw;
    Result failed;
    failed.termination = Termination::failed;
    failed.message = error.what();
    failed.method = plan.method;
    failed.form = *plan.form;
    return failed;
  }
}

// With values at the end of the run digits are counted there; a tolerance can be judged at any time.
bool can_judge(const Reference& r, double start, double until) {
  return r.kind == Reference::Kind::history || r.has_time(until) ||
         (r.tolerance > 0.0 && std::any_of(r.values.begin(), r.values.end(),
                                           [&](const auto& at) { return is_reached(at.first, start, until); }));
}

// The references that a run in this form is beside, apart from those that are only published.
std::vector<Reference> take_judges(Model& model, Form form) {
  std::vector<Reference> judges;
  for (const Reference& r : model.references)
    if (r.kind == Reference::Kind::history || (r.kind == Reference::Kind::trusted && r.is_of(form)))
      judges.push_back(r);
  // Those of the form itself stand for those of any.
  const auto of_form = [&](const Reference& r) { return r.form == form; };
  if (std::any_of(judges.begin(), judges.end(), of_form))
    std::erase_if(judges, [&](const Reference& r) { return r.kind == Reference::Kind::trusted && !of_form(r); });
  std::erase_if(model.references, [](const Reference& r) { return r.kind != Reference::Kind::published; });
  return judges;
}

CheckRow check_beside(const Model& model, const Reference& judge, const Run& run, const CheckRequest& request,
                      const MethodInfo& method, Form form, double own_rtol) {
  CheckRow row;
  row.run = run.name;
  row.method = method.name;
  row.form = form;
  row.rtol = request.rtol.value_or(own_rtol);
  row.source = judge.source;
  if (!can_judge(judge, model.start.t, run.until)) {
    row.skipped = true;
    row.message = fmt::format(
        "its reference ({}) has no values at the end of the run, t = {} s; the last are at t = {} s. Give it a "
        "tolerance",
        judge.source, exact_text(run.until), exact_text(judge.values.rbegin()->first));
    return row;
  }
  const double atol = request.atol.value_or(row.rtol);
  Plan plan;
  plan.until = run.until;
  plan.method = method.name;
  plan.dropped_rows = model.dropped_rows;
  plan.form = form;
  plan.tolerances = Tolerances::uniform(row.rtol, atol);
  HistoryComparison over_time(*model.system, judge, model.start.t, run.until);
  plan.sample_times = over_time.times();
  plan.stop = request.stop;
  const Result result = integrate_or_tell(model, plan, [&](const Sample& sample) { over_time.add(sample); });
  row.form = result.form;
  row.quality = result.quality;
  row.tolerance = judge.tolerance;
  row.compared = compare(model, judge, result);
  if (over_time.times().size() > 1 || row.compared.empty()) row.history = over_time.deviations();
  row.judged = judge.kind != Reference::Kind::history || judge.tolerance > 0.0;
  row.accuracy = measure_accuracy(model, result.form, result, row.rtol, atol);
  row.required = required_of(judge.required_scd, method, row.rtol, own_rtol);
  row.message = result.termination == Termination::ok ? verdict(row, judge, result.end) : result.message;
  row.pass = row.message.empty();
  return row;
}

}  // namespace

std::optional<double> CheckRow::largest_difference() const {
  std::optional<double> largest;
  for (const Compared& c : compared) largest = std::max(largest.value_or(0.0), c.difference);
  for (const Deviation& d : history) largest = std::max(largest.value_or(0.0), d.difference);
  return largest;
}

std::vector<CheckRow> check_model(const ModelSource& source, const CheckRequest& request) {
  std::vector<CheckRow> rows;
  for (const Run& run : source.runs) {
    if (request.run && run.name != *request.run) continue;
    if (request.against && !request.run && &run != &source.runs.front()) continue;
    Parameters parameters = source.parameters;
    for (const auto& [name, value] : run.settings) parameters.set(name, value);
    for (const auto& [name, value] : request.settings) parameters.set(name, value);
    const double own_rtol = std::min(declared_rtol, run.rtol);
    const MethodInfo& method = find_method(request.method.value_or(method_of(run)));
    // A run in the index-1 form asks for both constraint levels: any form that holds them will do.
    const bool any_will_do = !request.form && run.form == Form::index1;
    const Form form = any_will_do ? method.nearest(run.form) : request.form.value_or(run.form);
    if (!method.has(form)) {
      CheckRow row{source.name, run.name, method.name, form, request.rtol.value_or(own_rtol), {}, {},
                   0.0,         false,    {},          true};
      row.message = fmt::format("\"{}\" has no form {}", method.name, name_of(form));
      rows.push_back(std::move(row));
      continue;
    }
    Model model = source.build(parameters, form);
    keep_references_of(model, run.name);
    if (request.against) {
      model.references = {read_history(*request.against, *model.system, model.start.t, run)};
      model.references.front().tolerance = request.tolerance;
    }
    const std::vector<Reference> judges = take_judges(model, form);
    if (judges.empty()) (void)consistent_start(model);  // what cannot start is broken, compared or not
    for (const Reference& judge : judges) {
      if (request.stop != nullptr && *request.stop) return rows;
      model.references.push_back(judge);
      rows.push_back(check_beside(model, judge, run, request, method, form, own_rtol));
      if (request.stop != nullptr && *request.stop) {  // a run that did not end is judged by nothing
        rows.pop_back();
        return rows;
      }
      CheckRow& row = rows.back();
      row.model = source.name;
      if (judges.size() > 1 && !row.message.empty() && !row.skipped)
        row.message = fmt::format("beside {}: {}", judge.source, row.message);
      model.references.pop_back();
    }
  }
  return rows;
}

}  // namespace raak

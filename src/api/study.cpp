// raak::check, raak::bench and raak::explain: what src/study finds, as plain data.
#include <raak/errors.h>
#include <raak/study.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "api/results/result_data.h"
#include "api/results/solve_error.h"
#include "base/text/text.h"
#include "run/asked_start.h"
#include "run/run_request.h"
#include "study/bench/bench.h"
#include "study/check.h"
#include "study/explain/explanation_text.h"

namespace raak_v0 {
namespace {

using detail::guarded;
using detail::ModelData;

core::Form form_called(const std::string& name) {
  const auto form = core::form_named(name);
  if (!form) throw RequestError(core::unknown_name("form", name, core::form_names()));
  return *form;
}

std::optional<std::string> run_called(const core::ModelSource& source, const std::string& name) {
  if (name.empty()) return std::nullopt;
  return core::find_run(source, name).name;  // refuses one that there is not
}

double tolerance_of(double rtol) {
  if (std::isfinite(rtol) && rtol > 0.0) return rtol;
  throw RequestError("rtol expects numbers above 0, found " + core::exact_text(rtol));
}

CheckRow public_row(const core::CheckRow& row) {
  CheckRow shown;
  shown.run = row.run;
  shown.method = row.method;
  shown.form = row.form ? core::name_of(*row.form) : "";
  shown.reference = row.source;
  shown.rtol = row.rtol;
  shown.scd = row.accuracy.scd;
  shown.mescd = row.accuracy.mescd;
  shown.scd_published = row.accuracy.scd_published;
  shown.mescd_published = row.accuracy.mescd_published;
  shown.largest_difference = row.largest_difference();
  shown.position_residual = row.quality.position_residual;
  shown.velocity_residual = row.quality.velocity_residual;
  shown.energy_drift = row.quality.energy_drift;
  shown.required = row.required;
  shown.tolerance = row.tolerance;
  shown.pass = row.pass;
  shown.skipped = row.skipped;
  shown.message = row.message;
  return shown;
}

BenchRow public_row(const core::BenchRow& row) {
  BenchRow shown;
  shown.model = row.model;
  shown.run = row.run;
  shown.method = row.method;
  shown.form = core::name_of(row.form);
  shown.rtol = row.rtol;
  shown.atol = row.atol;
  shown.status = row.status;
  shown.message = row.message;
  shown.reference = row.reference;
  shown.scd = row.scd;
  shown.mescd = row.mescd;
  shown.energy_drift = row.status == "refused" ? std::nan("") : row.energy_drift;
  shown.work = detail::public_statistics(row.work);
  shown.cpu_us = row.cpu_us;
  shown.cpu_us_min = row.cpu_us_min;
  return shown;
}

}  // namespace

std::vector<CheckRow> check(const Model& model, const Options& options, const std::atomic<bool>* stop) {
  const ModelData& data = model.data();
  return guarded(data.elements(), [&] {
    const ModelData::Reading reading(data);
    core::CheckRequest request;
    if (!options.method.empty()) request.method = core::find_method(options.method).name;
    request.run = run_called(data.source(), options.run);
    if (!options.form.empty()) request.form = form_called(options.form);
    if (options.rtol) request.rtol = tolerance_of(*options.rtol);
    if (options.atol) request.atol = tolerance_of(*options.atol);
    request.settings = data.settings();
    request.stop = stop;
    std::vector<CheckRow> rows;
    for (const core::CheckRow& row : core::check_model(data.source(), request)) rows.push_back(public_row(row));
    return rows;
  });
}

std::vector<BenchRow> bench(const Model& model, const BenchOptions& options) {
  const ModelData& data = model.data();
  return guarded(data.elements(), [&] {
    const ModelData::Reading reading(data);
    core::ModelSource source = data.source();
    if (options.until) {
      if (!std::isfinite(*options.until))
        throw RequestError("until expects a finite number, found " + core::exact_text(*options.until));
      for (core::Run& run : source.runs) run.until = *options.until;
    }
    core::BenchRequest request;
    request.run = run_called(source, options.run);
    for (const std::string& method : options.methods) request.methods.push_back(core::find_method(method).name);
    for (const std::string& form : options.forms) request.forms.push_back(form_called(form));
    for (const double rtol : options.rtol) request.rtols.push_back(tolerance_of(rtol));
    if (options.rtol.empty()) request.rtols = core::rtol_grid(1e-4, 1e-10, 2);
    request.settings = data.settings();
    request.stop = options.stop;
    if (options.done) request.done = [&](const core::BenchRow& row) { options.done(public_row(row)); };
    std::vector<BenchRow> rows;
    for (const core::BenchRow& row : core::bench_model(source, request)) rows.push_back(public_row(row));
    return rows;
  });
}

Explanation explain(const Model& model, const Options& options, const std::atomic<bool>* stop) {
  const ModelData& data = model.data();
  return guarded(data.elements(), [&] {
    const ModelData::Reading reading(data);
    const core::Run asked = detail::asked_run(data.source(), options);
    core::Model built = data.source().build(data.parameters(asked), asked.form);
    core::restart(built, detail::start_values(options.trust), detail::start_values(options.guess));
    core::Plan plan = core::plan_of(asked, built);
    plan.sample_times.clear();
    plan.estimate_sensitivity = true;
    plan.stop = stop;
    const core::Explanation found = core::explain_model(built, plan);
    Explanation shown;
    shown.cause = core::cause_name(found.cause);
    shown.finding = found.finding;
    shown.advice = found.advice;
    shown.text = core::text_of(found, *built.system);
    shown.json = core::text_of(core::explanation_document(data.source().name, asked.name, *built.system, found));
    return shown;
  });
}

}  // namespace raak_v0

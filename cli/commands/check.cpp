// `raak check`: the digits that the built-in models deliver, against the references they carry.
#include "study/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text/text.h"
#include "base/text/visible_text.h"
#include "cli/commands/commands.h"
#include "cli/request/arguments.h"
#include "cli/request/chosen_model.h"
#include "cli/terminal/table.h"
#include "cli/terminal/terminal.h"
#include "output/formats/json.h"
#include "problems/catalogue.h"

namespace raak::cli {
namespace {

std::string form_text(const CheckRow& row) {
  return row.form ? name_of(*row.form) : "";
}

std::string table_text(const std::vector<CheckRow>& rows, const std::vector<CheckRow>& skipped) {
  Table table({{"model", true},
               {"run", true},
               {"method", true, 2},
               {"form", true, 3},
               {"scd"},
               {"mescd", false, 1},
               {"(published)", true, 4},
               {"|g|", false, 6},
               {"|g'|", false, 7},
               {"drift/J", false, 8},
               {"off by", false, 5},
               {"required"},
               {"", true}});
  for (const CheckRow& row : rows) {
    const auto small = [](double value) { return std::isfinite(value) ? fmt::format("{:.1e}", value) : "-"; };
    table.add(
        {row.model, row.run, row.method, form_text(row), digits_text(row.accuracy.scd), digits_text(row.accuracy.mescd),
         fmt::format("({}/{})", digits_text(row.accuracy.scd_published), digits_text(row.accuracy.mescd_published)),
         small(row.quality.position_residual), small(row.quality.velocity_residual), small(row.quality.energy_drift),
         small(row.largest_difference().value_or(std::numeric_limits<double>::quiet_NaN())),
         !row.judged           ? "-"
         : row.tolerance > 0.0 ? fmt::format("<= {:.0e}", row.tolerance)
                               : fmt::format("{:.2f}", row.required),
         !row.pass    ? "FAIL"
         : row.judged ? "pass"
                      : "compared"});
    if (!row.pass && !row.message.empty()) table.add_remark(row.message);
  }
  std::string text = table.text(output_columns());
  for (const CheckRow& row : skipped) text += fmt::format("{} {} was not run: {}\n", row.model, row.run, row.message);
  return text;
}

// Of a run that was compared over time: by how much each component is off at most, and when.
std::string history_text(const CheckRow& row) {
  Table table({{"", true}, {"off by at most"}, {"at t / s"}, {"over max(1, |reference|)"}, {"at t / s"}});
  long times = 0;
  for (const Deviation& d : row.history) {
    table.add({d.name, fmt::format("{:.3e}", d.absolute), fmt::format("{:.6g}", d.t_absolute),
               fmt::format("{:.3e}", d.difference), fmt::format("{:.6g}", d.t)});
    times = std::max(times, d.times);
  }
  return fmt::format("{}, run {}, beside {} at {} times:\n", visible_line(row.model), row.run, visible_line(row.source),
                     times) +
         table.text(output_columns());
}

std::string count_text(const std::vector<CheckRow>& rows, std::size_t broken) {
  if (rows.size() == 1 && rows[0].pass && !rows[0].judged && broken == 0)
    return "Nothing was judged: --tolerance X sets the largest deviation that passes\n";
  const auto passed = std::count_if(rows.begin(), rows.end(), [](const CheckRow& row) { return row.pass; });
  std::string text = fmt::format("{} of {} checks pass", passed, rows.size());
  if (broken > 0) text += fmt::format("; {} {} not be checked", broken, broken == 1 ? "model could" : "models could");
  return text + "\n";
}

Json compared(const CheckRow& row) {
  Json list = Json::array();
  for (const Compared& c : row.compared)
    list.push_back({{"name", c.name},
                    {"value", number_or_null(c.value)},
                    {"reference", number_or_null(c.reference)},
                    {"difference", number_or_null(c.difference)}});
  return list;
}

Json over_time(const CheckRow& row) {
  Json list = Json::array();
  for (const Deviation& d : row.history)
    list.push_back({{"name", d.name},
                    {"times", d.times},
                    {"absolute", number_or_null(d.absolute)},
                    {"t_absolute", number_or_null(d.t_absolute)},
                    {"difference", number_or_null(d.difference)},
                    {"t", number_or_null(d.t)},
                    {"value", number_or_null(d.value)},
                    {"reference", number_or_null(d.reference)}});
  return list;
}

Json document(const std::vector<CheckRow>& rows) {
  Json list = Json::array();
  for (const CheckRow& row : rows) {
    list.push_back({{"model", row.model},
                    {"run", row.run},
                    {"method", row.method},
                    {"formulation", form_text(row)},
                    {"rtol", number_or_null(row.rtol)},
                    {"scd", number_or_null(row.accuracy.scd)},
                    {"mescd", number_or_null(row.accuracy.mescd)},
                    {"scd_published", number_or_null(row.accuracy.scd_published)},
                    {"mescd_published", number_or_null(row.accuracy.mescd_published)},
                    {"position_residual", number_or_null(row.quality.position_residual)},
                    {"velocity_residual", number_or_null(row.quality.velocity_residual)},
                    {"energy_drift", number_or_null(row.quality.energy_drift)},
                    {"required", number_or_null(row.required)},
                    {"source", row.source},
                    {"tolerance", row.tolerance > 0.0 ? number_or_null(row.tolerance) : Json()},
                    {"deviation", number_or_null(row.largest_difference())},
                    {"compared", compared(row)},
                    {"history", over_time(row)},
                    {"pass", row.judged || !row.pass ? Json(row.pass) : Json()},
                    {"message", row.message}});
  }
  return list;
}

void require_form(const std::string& method, Form form) {
  if (const MethodInfo& info = find_method(method); !info.has(form))
    throw Error(ErrorKind::request, missing_form(info, form));
}

CheckRequest read_request(const CheckOptions& options) {
  CheckRequest request;
  if (options.method) request.method = find_method(*options.method).name;
  if (options.rtol) request.rtol = read_rtol(*options.rtol);
  if (options.atol) request.atol = read_atol(*options.atol);
  request.settings = read_settings(options.settings);
  request.run = options.run;
  if (options.form) request.form = read_form(*options.form);
  if (request.method && request.form) require_form(*request.method, *request.form);
  request.against = options.against;
  if (options.against && options.models.size() != 1)
    throw Error(ErrorKind::request, fmt::format("--against compares one model with a table: name it, found {} models",
                                                options.models.size()));
  if (options.tolerance && !options.against)
    throw Error(ErrorKind::request, "--tolerance is that of a comparison over time: name the table with --against");
  if (options.tolerance) request.tolerance = read_positive("--tolerance", *options.tolerance);
  return request;
}

// The models that can be read, and what to say of the others.
struct Readable {
  std::vector<const ModelSource*> models;
  std::vector<CheckRow> broken;
  int code = 0;  // of what is wrong with them: the stage that comes first, a file before its computation

  void add_broken(const std::string& model, const CheckRequest& request, const Error& error) {
    const bool own_kind = error.kind() == ErrorKind::model_file || error.kind() == ErrorKind::computation;
    if (!own_kind) throw error;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    broken.push_back(
        {model, "", request.method.value_or(""), {}, none, {}, {none, none, none}, none, false, error.what(), false});
    const int kind = static_cast<int>(error.kind());
    code = code == 0 ? kind : std::min(code, kind);
  }
};

Readable read_models(const CheckOptions& options, const CheckRequest& request) {
  Readable readable;
  const std::vector<std::string> names = names_of_models(options.models);
  for (const std::string& name : names) {
    try {
      const ModelSource* const model = &find_model(name);
      if (std::find(readable.models.begin(), readable.models.end(), model) == readable.models.end())
        readable.models.push_back(model);
    } catch (const Error& error) {
      if (names.size() == 1) throw;
      readable.add_broken(name, request, error);
    }
  }
  if (names.empty()) {
    for (const ModelSource& source : problem_catalogue()) readable.models.push_back(&source);
  }
  return readable;
}

}  // namespace

int check(const CheckOptions& options) {
  const CheckRequest request = read_request(options);
  Readable readable = read_models(options, request);
  const std::vector<const ModelSource*>& models = readable.models;
  const bool alone = models.size() == 1 && readable.broken.empty();
  // Known before the first, perhaps long, run: a setting or a run that a model does not have.
  for (const ModelSource* model : models) {
    check_settings(*model, request.settings);
    const Run run = find_run(*model, request.run);
    if (request.form && !request.method && run.method.empty()) require_form(default_method, *request.form);
  }
  std::vector<CheckRow> rows;
  std::vector<CheckRow> skipped;
  std::vector<std::string> unjudged;
  for (const ModelSource* model : models) {
    std::vector<CheckRow> more;
    try {
      more = check_model(*model, request);
    } catch (const Error& error) {
      if (alone) throw;
      readable.add_broken(model->name, request, error);
      continue;
    }
    const auto run = std::stable_partition(more.begin(), more.end(), [](const CheckRow& row) { return !row.skipped; });
    if (run == more.begin()) unjudged.push_back(model->name);
    std::move(more.begin(), run, std::back_inserter(rows));
    std::move(run, more.end(), std::back_inserter(skipped));
  }
  // No check is not a check that was met.
  const std::string no_reference = "there is no reference solution for these settings and this method, of: ";
  if (rows.empty() && readable.broken.empty()) throw Error(ErrorKind::request, no_reference + join(unjudged));
  for (const CheckRow& row : readable.broken) {
    const bool named = row.message.find(row.model) != std::string::npos;
    complain(named ? row.message : row.model + ": " + row.message);
  }
  if (!unjudged.empty()) complain(no_reference + join(unjudged));
  if (!options.json && !rows.empty()) {
    std::string text = table_text(rows, skipped);
    // Of a table that the user gave; those of built-in models are the business of --json.
    const bool own_table = alone && (options.against || !models.front()->text.empty());
    for (const CheckRow& row : rows)
      if (own_table && !row.history.empty()) text += history_text(row);
    print_text(text + count_text(rows, readable.broken.size()));
  }
  const bool all = std::all_of(rows.begin(), rows.end(), [](const CheckRow& row) { return row.pass; });
  std::move(readable.broken.begin(), readable.broken.end(), std::back_inserter(rows));
  if (options.json) print_data(text_of(document(rows)));
  if (readable.code != 0) return readable.code;
  if (!unjudged.empty()) return static_cast<int>(ErrorKind::request);
  return all ? 0 : static_cast<int>(ErrorKind::unmet_check);
}

}  // namespace raak::cli

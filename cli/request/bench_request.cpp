#include "cli/request/bench_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/text.h"
#include "cli/request/arguments.h"
#include "cli/request/chosen_model.h"
#include "cli/results/peers.h"
#include "problems/catalogue.h"
#include "problems/printed_runs.h"

namespace raak::cli {
namespace {

constexpr const char* usual_grid = "1e-4:1e-10";
constexpr const char* drift_grid = "1e-2:1e-10:4";  // loose enough for the cheapest run, and dense enough to find it

std::vector<Form> read_forms(const std::string& text) {
  std::vector<Form> forms;
  for (const std::string& name : text == "all" ? form_names() : read_words("--forms", text))
    forms.push_back(read_form(name));
  return forms;
}

// With peers, --methods may name some of them too.
BenchRequest read_request(const BenchOptions& options, std::vector<std::string>& peers) {
  BenchRequest request;
  request.run = options.run;
  request.rtols = read_rtol_grid(options.rtol.value_or(options.drift ? drift_grid : usual_grid));
  for (const std::string& name :
       options.methods ? read_words("--methods", *options.methods) : std::vector<std::string>()) {
    const bool is_peer = holds(peer_names(), name);
    if (is_peer && !options.peers)
      throw Error(ErrorKind::request, fmt::format("--methods {}: it is run by --peers only; add that option", name));
    if (!is_peer) find_method(name);
    (is_peer ? peers : request.methods).push_back(name);
  }
  if (options.forms) request.forms = read_forms(*options.forms);
  request.all_forms = options.forms == "all";
  if (options.first_step) request.first_step = read_first_step(*options.first_step);
  request.settings = read_settings(options.settings);
  return request;
}

// The settings of the document of a model; options that are given by hand take precedence.
void use_printed(const ModelSource& model, const BenchOptions& options, BenchRequest& request) {
  const PrintedRuns* const printed = find_printed_runs(model.name);
  if (printed == nullptr) {
    std::vector<std::string> with;
    for (const PrintedRuns& runs : printed_runs()) with.push_back(runs.model);
    const auto drift = printed_drift(model.name);
    throw Error(
        ErrorKind::request,
        fmt::format("--as-printed: no document of \"{0}\" prints a grid of tolerances; there is one for: {1}{2}",
                    model.name, join(with),
                    drift ? fmt::format(". Its own asks for the least CPU time at an energy drift below "
                                        "{1:.0e} J: raak bench {0} --drift {1:.0e}",
                                        model.name, *drift)
                          : ""));
  }
  if (!options.rtol) request.rtols = printed->settings.rtols();
  if (!options.first_step) request.first_step.of_rtol = printed->settings.h0_of_rtol;
  request.own_form = printed->settings.form;
}

std::vector<const ModelSource*> read_models(const BenchOptions& options) {
  std::vector<const ModelSource*> models = find_models(options.models);
  if (!models.empty()) return models;
  for (const ModelSource& source : problem_catalogue())
    if (!options.as_printed || find_printed_runs(source.name) != nullptr) models.push_back(&source);
  return models;
}

std::string variant_of(const BenchOptions& options) {
  std::vector<std::string> parts;
  if (options.run) parts.push_back("run " + *options.run);
  parts.insert(parts.end(), options.settings.begin(), options.settings.end());
  return join(parts);
}

}  // namespace

std::size_t BenchOrder::rows() const {
  std::size_t rows = 0;
  if (!peers_only)
    for (const Task& task : tasks) rows += planned_rows(*task.model, task.request);
  return rows;
}

BenchOrder read_bench_order(const BenchOptions& options) {
  BenchOrder order;
  const BenchRequest request = read_request(options, order.peers);
  order.peers_only = options.methods && request.methods.empty();
  if (options.drift) order.drift = read_positive("--drift", *options.drift);
  order.variant = variant_of(options);
  for (const ModelSource* model : read_models(options)) {
    check_settings(*model, request.settings);
    find_run(*model, request.run);
    order.tasks.push_back({model, request});
    if (options.as_printed) use_printed(*model, options, order.tasks.back().request);
  }
  return order;
}

}  // namespace raak::cli

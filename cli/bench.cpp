// `raak bench`: digits against CPU time for models, methods, forms and tolerances, with the other codes if asked for.
#include "study/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/bench_table.h"
#include "cli/chosen_model.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/peers.h"
#include "cli/terminal.h"
#include "output/folder.h"
#include "problems/catalogue.h"
#include "study/bench_document.h"
#include "study/bench_report.h"

namespace raak::cli {
namespace {

std::vector<std::string> read_forms(const std::string& text) {
  if (text == "all") return form_names();
  std::vector<std::string> forms = read_words("--forms", text);
  for (const std::string& form : forms) {
    if (std::find(form_names().begin(), form_names().end(), form) != form_names().end()) continue;
    throw Error(ErrorKind::request, unknown_name("form", form, form_names()));
  }
  return forms;
}

// With peers, --methods may name some of them too.
BenchRequest read_request(const BenchOptions& options, std::vector<std::string>& peers) {
  BenchRequest request;
  request.rtols = read_rtol_grid(options.rtol.value_or("1e-4:1e-10"));
  for (const std::string& name :
       options.methods ? read_words("--methods", *options.methods) : std::vector<std::string>()) {
    const bool is_peer = std::find(peer_names().begin(), peer_names().end(), name) != peer_names().end();
    if (is_peer && !options.peers)
      throw Error(ErrorKind::request, fmt::format("--methods {}: it is run by --peers only; add that option", name));
    if (!is_peer) find_method(name);
    (is_peer ? peers : request.methods).push_back(name);
  }
  if (options.forms) request.forms = read_forms(*options.forms);
  request.all_forms = options.forms == "all";
  if (options.first_step) request.first_step = read_positive("--h0", *options.first_step);
  request.settings = read_settings(options.settings);
  return request;
}

std::vector<const ModelSource*> read_models(const BenchOptions& options, const BenchRequest& request) {
  std::vector<const ModelSource*> models = find_models(options.models);
  if (models.empty()) {
    for (const ModelSource& source : problem_catalogue()) models.push_back(&source);
  }
  for (const ModelSource* model : models) check_settings(*model, request.settings);
  return models;
}

}  // namespace

int bench(const BenchOptions& options) {
  std::vector<std::string> named_peers;
  BenchRequest request = read_request(options, named_peers);
  const bool peers_only = options.methods && request.methods.empty();
  const std::vector<const ModelSource*> models = read_models(options, request);
  const std::string peers = options.peers ? find_peers() : "";
  const std::unique_ptr<OutputFolder> folder =
      options.out ? std::make_unique<OutputFolder>(*options.out, "bench.json") : nullptr;
  const std::atomic<bool>& stop = listen_for_interrupt();
  request.stop = &stop;
  if (!options.json) request.done = [](const BenchRow& row) { show_progress(row.model + " " + row.method); };

  std::vector<BenchRow> rows;
  for (const ModelSource* model : models) {
    std::vector<BenchRow> more = peers_only ? std::vector<BenchRow>() : bench_model(*model, request);
    if (options.peers && !stop) {
      show_progress(model->name + " peers");
      std::vector<BenchRow> others = run_peers(peers, *model, request, named_peers);
      std::move(others.begin(), others.end(), std::back_inserter(more));
    }
    if (!options.json) {
      hide_progress();
      print_text(bench_table(*model, more, output_columns()));
    }
    std::move(more.begin(), more.end(), std::back_inserter(rows));
    if (stop) break;
  }
  if (options.json) print_data(text_of(bench_document(rows)));
  if (folder) {
    const std::string page = write_bench_report(*folder, {program_name(), machine_name(), models, rows, !stop});
    if (!options.json) print_path(page);
  }
  if (stop && !options.json) complain("stopped: the rows measured so far are kept");
  return stop ? static_cast<int>(ErrorKind::interrupted) : 0;
}

}  // namespace raak::cli

// `raak bench`: digits against CPU time for models, methods, forms and tolerances, with the other codes if asked for.
#include "study/bench/bench.h"

#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "cli/request/bench_request.h"
#include "cli/results/peers.h"
#include "cli/terminal/bench_table.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/terminal.h"
#include "output/folder/folder.h"
#include "study/bench/bench_document.h"
#include "study/bench/bench_report.h"
#include "study/bench/drift.h"

namespace raak::cli {
namespace {

std::string table_of(const BenchOptions& options, const BenchOrder& order, const BenchReport& report) {
  if (order.drift) return drift_text(report, output_columns());
  if (options.as_printed) return printed_text(report, output_columns());
  return bench_table(*report.models.front(), report.rows, output_columns());
}

void append(std::vector<BenchRow>& rows, std::vector<BenchRow> more) {
  std::move(more.begin(), more.end(), std::back_inserter(rows));
}

}  // namespace

int bench(const BenchOptions& options) {
  BenchOrder order = read_bench_order(options);
  const std::string peers = options.peers ? find_peers() : "";
  const std::unique_ptr<OutputFolder> folder =
      options.out ? std::make_unique<OutputFolder>(*options.out, "bench.json") : nullptr;
  const std::atomic<bool>& stop = listen_for_interrupt();
  RowProgress progress(order.rows());

  BenchReport report{program_name(), machine_name(), {}, {}, true, order.variant, order.drift};
  for (BenchOrder::Task& task : order.tasks) {
    task.request.stop = &stop;
    task.request.done = [&](const BenchRow& row) {
      progress.row_done(fmt::format("{} {} {:.1e}", row.model, row.method, row.rtol));
    };
    std::vector<BenchRow> rows;
    if (!order.peers_only) rows = bench_model(*task.model, task.request);
    if (options.peers && !stop) {
      progress.hide();
      show_progress(task.model->name + " peers");
      append(rows, run_peers(peers, *task.model, task.request, order.peers));
    }
    if (order.drift) judge_drift(*task.model, task.request, *order.drift, rows);
    report.models.push_back(task.model);
    progress.hide();
    if (!options.json) {
      BenchReport part = report;
      part.models = {task.model};
      part.rows = rows;
      print_text(table_of(options, order, part));
    }
    append(report.rows, std::move(rows));
    if (stop) break;
  }
  report.complete = !stop;
  if (options.json) print_data(text_of(bench_document(report.rows)));
  if (folder) {
    const std::string page = write_bench_report(*folder, report);
    if (!options.json) print_path(page);
  }
  if (stop && !options.json) complain("stopped: the rows measured so far are kept");
  if (stop) return static_cast<int>(ErrorKind::interrupted);
  return order.drift && !any_holds_drift(report.rows) ? static_cast<int>(ErrorKind::unmet_check) : 0;
}

}  // namespace raak::cli

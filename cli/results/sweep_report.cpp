#include "cli/results/sweep_report.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text/text.h"
#include "cli/request/arguments.h"
#include "cli/terminal/table.h"
#include "cli/terminal/terminal.h"
#include "output/page_data.h"
#include "study/sweep/sweep_files.h"

namespace raak::cli {
namespace {

namespace fs = std::filesystem;

std::string number_text(const Json& value) {
  return value.is_number() ? fmt::format("{:.6g}", value.get<double>()) : "-";
}

std::string table_of(const Json& summary) {
  std::vector<Column> columns{{"kept", true}, {"unit", true, 3}, {"mean"}, {"deviation"}, {"min", false, 2}};
  const Json& all = summary.at("columns");
  if (all.empty()) return "";
  const Json first = all.begin()->value("quantiles", Json::object());
  for (const auto& [p, value] : first.items()) {
    const double percent = 100.0 * parse_number(p).value_or(0.0);
    columns.push_back({fmt::format("{:.4g} %", percent), false, 1});
  }
  columns.push_back({"max", false, 2});
  Table table(columns, "  ");
  for (const auto& [name, each] : all.items()) {
    std::vector<std::string> cells{name, each.value("unit", ""), number_text(each.at("mean")),
                                   number_text(each.at("deviation")), number_text(each.at("min"))};
    const Json quantiles = each.value("quantiles", Json::object());
    for (const auto& [p, value] : quantiles.items()) cells.push_back(number_text(value));
    cells.push_back(number_text(each.at("max")));
    table.add(cells);
  }
  return table.text(output_columns());
}

std::string indices_of(const Json& summary) {
  Table table({{"Sobol indices", true}, {"of", true}, {"first"}, {"total"}}, "  ");
  bool has = false;
  for (const auto& [name, each] : summary.at("columns").items()) {
    if (!each.contains("sobol")) continue;
    const Json& sobol = each.at("sobol");
    const Json shares = sobol.value("first", Json::object());
    for (const auto& [factor, first] : shares.items()) {
      table.add({name, factor, number_text(first), number_text(sobol.at("total").at(factor))});
      has = true;
    }
  }
  return has ? "\n" + table.text(output_columns()) : "";
}

// Runs that came to their end, and to no number for something that is kept: an event that did not happen, a time that
// the run did not reach.
std::string blanks_of(const Json& summary) {
  const std::uint64_t ended = summary.at("cases").get<std::uint64_t>() - summary.at("failed").get<std::uint64_t>();
  std::string text;
  for (const auto& [name, each] : summary.at("columns").items())
    if (const auto count = each.at("count").get<std::uint64_t>(); count < ended)
      text += fmt::format("  {} has no number in {} of {} cases that came to their end\n", name, ended - count, ended);
  return text;
}

std::string failures_of(const Json& summary) {
  std::string text;
  for (const Json& each : summary.at("failures").at("causes"))
    text += fmt::format("  {} failed, {}; the first is case {}: {}\n", each.at("cases").get<std::uint64_t>(),
                        each.at("cause").get<std::string>(), each.at("first_case").get<std::uint64_t>(),
                        each.at("message").get<std::string>());
  return text;
}

}  // namespace

Json write_summary(const SweepResults& results, const SweepFolder& folder, bool exact, bool quiet,
                   const std::atomic<bool>* stop) {
  Json summary = write_sweep_files(results, folder, exact, stop);
  if (results.processors().size() > 1 && !quiet)
    complain("note: blocks were computed by different processors, which may round differently: " +
             join(results.processors(), "; "));
  return summary;
}

void print_summary(const Json& summary, const std::string& head) {
  print_styled(head + table_of(summary) + blanks_of(summary) + indices_of(summary) + failures_of(summary));
}

int report_sweep(const SweptModel& swept, const SweepFolder& folder, const SweepOptions& options,
                 const SweepProgress& progress, double seconds, const std::atomic<bool>& stop) {
  const fs::path& path = folder.path();
  const double rate = seconds > 0.0 ? static_cast<double>(progress.cases) / seconds : 0.0;
  Json document{{"cases", swept.design.cases()}, {"failed", progress.failed},
                {"run", progress.cases},         {"seconds", seconds},
                {"runs_per_second", rate},       {"built_anew", progress.built_anew},
                {"folder", path.string()}};
  const bool is_part = progress.interrupted || options.shard;
  const std::uint64_t done = is_part ? folder.done() : swept.design.cases();
  document["done"] = done;
  const std::string head = fmt::format("{} of {} cases in {:.3g} s, {:.4g} runs/s, {} failed\n", progress.cases,
                                       swept.design.cases(), seconds, rate, progress.failed);
  if (progress.interrupted) {
    document["status"] = "interrupted";
    if (options.json) print_data(text_of(document));
    else
      complain(
          fmt::format("stopped: {}; {} cases are done in all, and kept; go on with: raak sweep {} --out {} --resume",
                      head.substr(0, head.size() - 1), done, shell_word(options.plan), shell_word(path.string())));
    return static_cast<int>(ErrorKind::interrupted);
  }
  document["status"] = "ok";
  if (options.shard) {
    if (options.json) print_data(text_of(document));
    else print_text(head + fmt::format("when all shards are done: raak sweep --merge {}\n", shell_word(path.string())));
    return 0;
  }
  const SweepResults results(swept, folder);
  document["failed"] = results.failed();
  document["summary"] = write_summary(results, folder, options.exact, options.json, &stop);
  if (options.json) print_data(text_of(document));
  else {
    print_summary(document["summary"], head);
    print_path((has_page() ? page_path(folder) : path / "summary.json").string());
  }
  if (!stop) return 0;
  if (!options.json)
    complain("stopped while the page was made: all cases are done, and fewer of them are shown in motion. Once more: " +
             std::string("raak sweep --merge ") + shell_word(path.string()));
  return static_cast<int>(ErrorKind::interrupted);
}

}  // namespace raak::cli

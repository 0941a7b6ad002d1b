#include "cli/bench_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/table.h"
#include "cli/terminal.h"

namespace raak::cli {
namespace {

std::string count(const std::optional<double>& digits) {
  return digits ? fmt::format("{:.2f}", *digits) : "-";
}

std::string microseconds(double us) {
  if (us <= 0.0) return "-";
  return us < 100.0 ? fmt::format("{:.1f}", us) : fmt::format("{:.0f}", us);
}

Table runs_table(const std::vector<BenchRow>& rows) {
  Table table({{"method", true},
               {"form", true, 4},
               {"rtol"},
               {"scd"},
               {"mescd", false, 5},
               {"steps", false, 1},
               {"reject", false, 8},
               {"evals", false, 2},
               {"jac", false, 9},
               {"LU", false, 10},
               {"drift/J", false, 7},
               {"CPU/us", false, 6},
               {"min/us"},
               {"short", false, 3}},
              "  ");
  for (const BenchRow& row : rows) {
    const std::string rtol = fmt::format("{:.1e}", row.rtol);
    if (!row.ok()) {
      table.add({row.method, row.form, rtol, "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"});
      table.add_remark(fmt::format("{}: {}", row.status, row.message));
      continue;
    }
    const auto whole = [](long number) { return fmt::format("{}", number); };
    table.add({row.method, row.form, rtol, count(row.scd), count(row.mescd), whole(row.work.steps),
               whole(row.work.rejected), whole(row.work.evaluations), whole(row.work.jacobians),
               whole(row.work.factorizations),
               std::isfinite(row.energy_drift) ? fmt::format("{:.1e}", row.energy_drift) : "-",
               microseconds(row.cpu_us), microseconds(row.cpu_us_min), count(row.shortfall())});
  }
  return table;
}

Table costs_table(const std::vector<BenchRow>& rows) {
  std::vector<Column> columns{{"method", true}, {"form", true, 1}};
  for (const double scd : bench_levels) columns.push_back({fmt::format("scd >= {:.0f}", scd)});
  columns.push_back({"shortfall", false, 2});
  columns.push_back({"backslide", false, 3});
  Table table(std::move(columns), "  ");
  for (const BenchSeries& series : series_of(rows)) {
    std::vector<std::string> cells{series.front()->method, series.front()->form};
    for (const double scd : bench_levels) {
      const BenchRow* row = cost_at(series, scd);
      cells.push_back(row == nullptr ? "-" : microseconds(row->cpu_us_min));
    }
    cells.push_back(count(worst_shortfall(series)));
    const double back = worst_backslide(series);
    cells.push_back(back > 0.0 ? fmt::format("{:.2f}", back) : "-");
    table.add(cells);
  }
  return table;
}

}  // namespace

std::string bench_table(const ModelSource& model, const std::vector<BenchRow>& rows, std::size_t room) {
  std::string text = heading(model.name, model.title);
  text += runs_table(rows).text(room);
  text += "  cost at scd >= N: CPU us, the minimum (digits of q)\n";
  text += costs_table(rows).text(room);
  const auto own = std::find_if(rows.begin(), rows.end(), [](const BenchRow& row) { return !row.reference.empty(); });
  if (own != rows.end())
    text += fmt::format("  digits are counted against {}: the model has no reference\n", own->reference);
  else if (std::none_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.ok(); }))
    text += "  there are no digits: no run reached its end\n";
  else if (std::none_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.scd.has_value(); }))
    text += "  there are no digits: the model has no reference, and a run of its own to count against fails too\n";
  return text + "\n";
}

}  // namespace raak::cli

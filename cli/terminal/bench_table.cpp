#include "cli/terminal/bench_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/terminal/table.h"
#include "cli/terminal/terminal.h"
#include "study/bench/drift.h"

namespace raak::cli {
namespace {

std::string microseconds(double us) {
  if (us <= 0.0) return "-";
  return us < 100.0 ? fmt::format("{:.1f}", us) : fmt::format("{:.0f}", us);
}

std::string first_step(const BenchRow& row) {
  return row.h0 > 0.0 ? fmt::format("{:.1e}", row.h0) : "-";
}

std::string drift_of(const BenchRow& row) {
  return std::isfinite(row.energy_drift) ? fmt::format("{:.1e}", row.energy_drift) : "-";
}

std::string whole(long number) {
  return fmt::format("{}", number);
}

// The first step has a column where one was asked for.
Table runs_table(const std::vector<BenchRow>& rows) {
  const bool stepped = std::any_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.h0 > 0.0; });
  std::vector<Column> columns{{"method", true}, {"form", true, 4}, {"rtol"}};
  if (stepped) columns.push_back({"h0/s", false, 11});
  for (const Column& column : std::vector<Column>{{"scd"},
                                                  {"mescd", false, 5},
                                                  {"steps", false, 1},
                                                  {"reject", false, 8},
                                                  {"evals", false, 2},
                                                  {"jac", false, 9},
                                                  {"LU", false, 10},
                                                  {"drift/J", false, 7},
                                                  {"CPU/us", false, 6},
                                                  {"min/us"},
                                                  {"short", false, 3}})
    columns.push_back(column);
  const std::size_t width = columns.size();
  Table table(std::move(columns), "  ");
  for (const BenchRow& row : rows) {
    std::vector<std::string> cells{row.method, name_of(row.form), fmt::format("{:.1e}", row.rtol)};
    if (stepped) cells.push_back(first_step(row));
    if (row.ok())
      for (std::string cell :
           {digits_text(row.scd), digits_text(row.mescd), whole(row.work.steps), whole(row.work.rejected),
            whole(row.work.evaluations), whole(row.work.jacobians), whole(row.work.factorizations), drift_of(row),
            microseconds(row.cpu_us), microseconds(row.cpu_us_min), digits_text(row.shortfall())})
        cells.push_back(std::move(cell));
    cells.resize(width, "-");
    table.add(cells);
    if (!row.ok()) table.add_remark(fmt::format("{}: {}", row.status, row.message));
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
    std::vector<std::string> cells{series.front()->method, name_of(series.front()->form)};
    for (const double scd : bench_levels) {
      const BenchRow* row = cost_at(series, scd);
      cells.push_back(row == nullptr ? "-" : microseconds(row->cpu_us_min));
    }
    cells.push_back(digits_text(worst_shortfall(series)));
    const double back = worst_backslide(series);
    cells.push_back(back > 0.0 ? fmt::format("{:.2f}", back) : "-");
    table.add(cells);
  }
  return table;
}

// What accuracy costs, and against what digits are counted.
std::string costs_text(const std::vector<BenchRow>& rows, std::size_t room) {
  std::string text = "  cost at scd >= N: CPU us, the minimum (digits of q)\n";
  text += costs_table(rows).text(room);
  const auto own = std::find_if(rows.begin(), rows.end(), [](const BenchRow& row) { return !row.reference.empty(); });
  if (own != rows.end())
    text += fmt::format("  digits are counted against {}: the model has no reference\n", own->reference);
  else if (std::none_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.ok(); }))
    text += "  there are no digits: no run reached its end\n";
  else if (std::none_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.scd.has_value(); }))
    text += "  there are no digits: the model has no reference, and a run of its own to count against fails too\n";
  return text;
}

}  // namespace

std::string bench_table(const ModelSource& model, const std::vector<BenchRow>& rows, std::size_t room) {
  return heading(model.name, model.title) + runs_table(rows).text(room) + costs_text(rows, room) + "\n";
}

std::string printed_text(const BenchReport& report, std::size_t room) {
  const std::vector<BenchChapter> chapters = chapters_of(report);
  std::string text = heading(report.models.front()->name, report.models.front()->title);
  if (chapters.empty()) return text + "  nothing was measured\n\n";
  const BenchChapter& chapter = chapters.front();
  const PrintedRuns& printed = *chapter.printed;
  text += fmt::format("  {}. {}\n", printed.source, printed.remark);
  Table table({{"solver", true},
               {"form", true},
               {"rtol"},
               {"h0/s", false, 1},
               {"mescd"},
               {"scd"},
               {"steps"},
               {"accept", false, 4},
               {"#f", false, 2},
               {"#Jac", false, 5},
               {"#LU", false, 6},
               {"CPU/s", false, 3}},
              "  ");
  const auto seconds = [](double s) { return fmt::format("{:.3g}", s); };
  for (const PrintedRow& row : printed.rows)
    table.add({row.solver, name_of(printed.settings.form), fmt::format("{:.1e}", row.rtol),
               row.h0 ? fmt::format("{:.1e}", *row.h0) : "-", fmt::format("{:.2f}", row.mescd),
               fmt::format("{:.2f}", row.scd), whole(row.steps), whole(row.accepted), whole(row.evaluations),
               whole(row.jacobians), whole(row.factorizations), seconds(row.cpu_seconds)});
  table.add_remark(fmt::format("measured here{}:", chapter.variant.empty() ? "" : ", " + chapter.variant));
  const std::vector<const BenchRow*> shown = chapter.comparable_rows();
  for (const BenchRow* row : shown) {
    std::vector<std::string> cells{row->method, name_of(row->form), fmt::format("{:.1e}", row->rtol), first_step(*row)};
    if (row->ok())
      for (std::string cell : {digits_text(row->mescd), digits_text(row->scd), whole(row->work.steps),
                               whole(row->work.accepted), whole(row->work.evaluations), whole(row->work.jacobians),
                               whole(row->work.factorizations), seconds(1e-6 * row->cpu_us)})
        cells.push_back(std::move(cell));
    cells.resize(12, "-");
    table.add(cells);
    if (!row->ok()) table.add_remark(fmt::format("{}: {}", row->status, row->message));
  }
  text += table.text(room);
  if (shown.size() < report.rows.size())
    text += fmt::format("  shown: {} of {} rows, those at the tolerances printed; --out DIR writes all of them\n",
                        shown.size(), report.rows.size());
  return text + costs_text(report.rows, room) + "\n";
}

std::string drift_text(const BenchReport& report, std::size_t room) {
  const double limit = *report.drift;
  std::string text = heading(report.models.front()->name, report.models.front()->title);
  text +=
      fmt::format("  the cheapest run whose energy drift stays below {:.1e} J at this and every tighter rtol\n", limit);
  Table table({{"method", true},
               {"form", true, 3},
               {"rtol"},
               {"CPU/us", false, 2},
               {"min/us"},
               {"steps"},
               {"drift/J"},
               {"trajectory error", false, 1}},
              "  ");
  const BenchRow* best = nullptr;
  for (const BenchSeries& series : series_of(report.rows)) {
    const BenchRow* const row = cheapest_within(series, limit);
    if (row == nullptr) {
      table.add({series.front()->method, name_of(series.front()->form), "-", "-", "-", "-", "-", "-"});
      table.add_remark("not held: " + reached_drift(series, limit));
      continue;
    }
    if (best == nullptr || row->cpu_us_min < best->cpu_us_min) best = row;
    const bool known = row->drift && row->drift->trajectory_error;
    table.add({row->method, name_of(row->form), fmt::format("{:.1e}", row->rtol), microseconds(row->cpu_us),
               microseconds(row->cpu_us_min), whole(row->work.steps), drift_of(*row),
               known ? fmt::format("{:.1e}", *row->drift->trajectory_error) : "-"});
  }
  text += table.text(room);
  text += best == nullptr
              ? fmt::format("  no method keeps the drift below {:.1e} J on this grid: try a tighter --rtol\n", limit)
              : fmt::format("  the cheapest: {} at rtol {:.1e}, {} us\n", best->method, best->rtol,
                            microseconds(best->cpu_us_min));
  return text + "\n";
}

}  // namespace raak::cli

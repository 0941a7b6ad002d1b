#include "cli/bench_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace raak::cli {
namespace {

std::string count(const std::optional<double>& digits) {
  return digits ? fmt::format("{:.2f}", *digits) : "-";
}

std::string microseconds(double us) {
  if (us <= 0.0) return "-";
  return us < 100.0 ? fmt::format("{:.1f}", us) : fmt::format("{:.0f}", us);
}

std::string run_line(const BenchRow& row, int width) {
  if (!row.ok()) {
    return fmt::format("  {:<{}} {:<7}{:>8.1e}  {}: {}\n", row.method, width, row.form, row.rtol, row.status,
                       row.message);
  }
  return fmt::format("  {:<{}} {:<7}{:>8.1e}{:>7}{:>7}{:>8}{:>7}{:>9}{:>7}{:>7}{:>10}{:>10}{:>10}{:>7}\n", row.method,
                     width, row.form, row.rtol, count(row.scd), count(row.mescd), row.work.steps, row.work.rejected,
                     row.work.evaluations, row.work.jacobians, row.work.factorizations,
                     std::isfinite(row.energy_drift) ? fmt::format("{:.1e}", row.energy_drift) : "-",
                     microseconds(row.cpu_us), microseconds(row.cpu_us_min), count(row.shortfall()));
}

std::string cost_line(const BenchSeries& series, int width) {
  std::string text = fmt::format("  {:<{}} {:<7}", series.front()->method, width, series.front()->form);
  for (const double scd : bench_levels) {
    const BenchRow* row = cost_at(series, scd);
    text += fmt::format("{:>10}", row == nullptr ? "-" : microseconds(row->cpu_us_min));
  }
  text += fmt::format("{:>12}", count(worst_shortfall(series)));
  const double back = worst_backslide(series);
  text += fmt::format("{:>11}\n", back > 0.0 ? fmt::format("{:.2f}", back) : "-");
  return text;
}

}  // namespace

std::string bench_table(const ModelSource& model, const std::vector<BenchRow>& rows) {
  int width = 11;
  for (const BenchRow& row : rows) width = std::max(width, static_cast<int>(row.method.size()) + 1);
  std::string text = fmt::format("{}: {}\n", model.name, model.title);
  text += fmt::format("  {:<{}} {:<7}{:>8}{:>7}{:>7}{:>8}{:>7}{:>9}{:>7}{:>7}{:>10}{:>10}{:>10}{:>7}\n", "method",
                      width, "form", "rtol", "scd", "mescd", "steps", "reject", "evals", "jac", "LU", "drift/J",
                      "CPU/us", "min/us", "short");
  for (const BenchRow& row : rows) text += run_line(row, width);
  text += fmt::format("  {:<{}}", "cost at scd >=", width + 8);
  for (const double scd : bench_levels) text += fmt::format("{:>10.0f}", scd);
  text += "   shortfall  backslide   (CPU us, minimum; digits of q)\n";
  for (const BenchSeries& series : series_of(rows)) text += cost_line(series, width);
  const auto own = std::find_if(rows.begin(), rows.end(), [](const BenchRow& row) { return !row.reference.empty(); });
  if (own != rows.end())
    text += fmt::format("  digits are counted against {}: the model has no reference\n", own->reference);
  else if (std::none_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.scd.has_value(); }))
    text += "  there are no digits: the model has no reference, and a run of its own to count against fails too\n";
  return text + "\n";
}

}  // namespace raak::cli

// How a bench shows the energy drift of a model and the limit that it is asked to keep.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/bench/drift.h"

namespace raak {
namespace {

constexpr double smallest_shown = 1e-6;  // of the limit: a balance of zero has no place on a logarithmic axis
constexpr int colours = 7;               // of svg.h: beyond, lines without markers differ by dashes

// From end to end of what the other series cover.
PlotSeries limit_line(const Plot& plot, double limit) {
  double from = INFINITY, to = -INFINITY;
  for (const PlotSeries& series : plot.series)
    for (const PlotPoint& point : series.points) {
      from = std::min(from, point.x);
      to = std::max(to, point.x);
    }
  PlotSeries line{fmt::format("limit {:.0e} J", limit), {}, 6, false, 3, true};
  if (from <= to) line.points = {{from, limit, {}}, {to, limit, {}}};
  return line;
}

}  // namespace

Plot drift_diagram(const BenchChapter& chapter, double limit) {
  Plot plot{chapter.model->name + ": energy drift against CPU time",
            "CPU time, µs",
            "largest energy drift, J",
            true,
            {},
            true};
  for (const BenchChapter::Named& named : chapter.named) {
    PlotSeries series{named.name, {}, named.style, false, named.dashes};
    for (const BenchRow* row : named.series) {
      if (!row->ok() || !(row->energy_drift > 0.0)) continue;
      series.points.push_back({row->cpu_us_min, row->energy_drift,
                               fmt::format("{} at rtol {:.1e}: {:.1e} J in {:.1f} µs", named.name, row->rtol,
                                           row->energy_drift, row->cpu_us_min)});
    }
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  }
  plot.series.push_back(limit_line(plot, limit));
  return plot;
}

Plot balance_diagram(const BenchChapter& chapter, double limit) {
  Plot plot{chapter.model->name + ": energy balance of the cheapest runs", "t, s", "|energy balance|, J", true, {}};
  for (const BenchChapter::Named& named : chapter.named)
    for (const BenchRow* row : named.series) {
      if (!row->drift || !row->drift->cheapest) continue;
      PlotSeries series{named.name, {}, named.style, false, named.dashes + named.style / colours, true};
      for (const auto& [t, balance] : row->drift->balance)
        if (std::abs(balance) > smallest_shown * limit) series.points.push_back({t, std::abs(balance), {}});
      if (!series.points.empty()) plot.series.push_back(std::move(series));
    }
  plot.series.push_back(limit_line(plot, limit));
  return plot;
}

std::string drift_table(const BenchChapter& chapter, double limit) {
  std::string text = fmt::format(
      "<h3>The cheapest run whose energy drift stays below {:.0e} J at this and every tighter tolerance</h3>"
      "<div class=\"scroll\"><table><thead><tr><th class=\"l\">method</th><th class=\"l\">form</th><th>rtol</th>"
      "<th>CPU, µs</th><th>steps</th><th>drift, J</th><th>trajectory error</th></tr></thead><tbody>",
      limit);
  double least = INFINITY;
  for (const BenchChapter::Named& named : chapter.named)
    if (const BenchRow* row = cheapest_within(named.series, limit)) least = std::min(least, row->cpu_us_min);
  for (const BenchChapter::Named& named : chapter.named) {
    const BenchRow* const row = cheapest_within(named.series, limit);
    text += fmt::format("<tr><td class=\"l\">{}{}</td><td class=\"l\">{}</td>", svg_marker(named.style),
                        markup_text(named.series.front()->method), markup_text(name_of(named.series.front()->form)));
    if (row == nullptr) {
      text += fmt::format("<td class=\"l\" colspan=\"5\">not held: {}</td></tr>",
                          markup_text(reached_drift(named.series, limit)));
      continue;
    }
    const bool known = row->drift && row->drift->trajectory_error;
    text += fmt::format("<td>{:.1e}</td><td{}>{:.1f}</td><td>{}</td><td>{:.1e}</td><td>{}</td></tr>", row->rtol,
                        row->cpu_us_min == least ? " class=\"best\"" : "", row->cpu_us_min, row->work.steps,
                        row->energy_drift, known ? fmt::format("{:.1e}", *row->drift->trajectory_error) : "–");
  }
  return text +
         "</tbody></table></div><p class=\"faint\">Trajectory error: the largest |q − q*| / (1 + |q*|) at the ends of "
         "the steps, q* a run of auto at rtol 1e-13. CPU: the minimum of repeated integrations.</p>";
}

}  // namespace raak

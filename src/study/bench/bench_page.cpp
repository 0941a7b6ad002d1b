#include "study/bench/bench_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "study/bench/bench_style.h"
#include "study/bench/drift.h"

namespace raak {
namespace {

std::string digits(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f}", *value) : "–";
}

std::string duration(double us) {
  if (us < 100.0) return fmt::format("{:.1f} µs", us);
  if (us < 10'000.0) return fmt::format("{:.0f} µs", us);
  if (us < 1e6) return fmt::format("{:.1f} ms", 1e-3 * us);
  return fmt::format("{:.2f} s", 1e-6 * us);
}

// 10 raised: 10^-4, 10^-4.5.
std::string power(double value) {
  return fmt::format("10<sup>{:.3g}</sup>", std::log10(value));
}

std::string seconds(double s) {
  const int decimals = std::clamp(2 - static_cast<int>(std::floor(std::log10(s))), 0, 9);
  return fmt::format("{:.{}f}", s, decimals);
}

std::string solver(const BenchChapter::Named& named) {
  return svg_marker(named.style) + markup_text(named.name);
}

const BenchChapter::Named& named_of(const BenchChapter& chapter, const BenchRow* row) {
  return *std::find_if(chapter.named.begin(), chapter.named.end(), [&](const BenchChapter::Named& named) {
    return std::find(named.series.begin(), named.series.end(), row) != named.series.end();
  });
}

// The cheapest series at an accuracy, null when none gets there.
const BenchChapter::Named* cheapest(const BenchChapter& chapter, double scd) {
  const BenchChapter::Named* best = nullptr;
  double least = INFINITY;
  for (const BenchChapter::Named& named : chapter.named) {
    const BenchRow* row = cost_at(named.series, scd);
    if (row == nullptr || row->cpu_us_min >= least) continue;
    least = row->cpu_us_min;
    best = &named;
  }
  return best;
}

std::string overview(const std::vector<BenchChapter>& chapters) {
  std::string text =
      "<h3>The cheapest method at each accuracy</h3><div class=\"scroll\"><table><thead><tr><th class=\"l\">model</th>";
  for (const double scd : bench_levels) text += fmt::format("<th class=\"l\">scd ≥ {:.0f}</th>", scd);
  text += "</tr></thead><tbody>";
  for (const BenchChapter& chapter : chapters) {
    text += fmt::format("<tr><td class=\"l\"><a href=\"#{0}\">{0}</a></td>", markup_text(chapter.model->name));
    for (const double scd : bench_levels) {
      const BenchChapter::Named* best = cheapest(chapter, scd);
      text += best == nullptr ? "<td class=\"l\">–</td>"
                              : fmt::format("<td class=\"l\">{} <small>{}</small></td>",
                                            duration(cost_at(best->series, scd)->cpu_us_min), solver(*best));
    }
    text += "</tr>";
  }
  return text + "</tbody></table></div>";
}

std::string costs(const BenchChapter& chapter) {
  std::string text =
      "<h3>CPU time at an accuracy, and digits asked for but not delivered</h3><div class=\"scroll\"><table>"
      "<thead><tr><th class=\"l\">method</th>";
  for (const double scd : bench_levels) text += fmt::format("<th>scd ≥ {:.0f}</th>", scd);
  text += "<th>shortfall</th><th>backslide</th></tr></thead><tbody>";
  for (const BenchChapter::Named& named : chapter.named) {
    text += "<tr><td class=\"l\">" + solver(named) + "</td>";
    for (const double scd : bench_levels) {
      const BenchRow* row = cost_at(named.series, scd);
      const BenchChapter::Named* best = cheapest(chapter, scd);
      if (row == nullptr) text += "<td>–</td>";
      else if (best == &named) text += fmt::format("<td class=\"best\">{}</td>", duration(row->cpu_us_min));
      else {
        text += fmt::format("<td>{}<small>×{:.3g}</small></td>", duration(row->cpu_us_min),
                            row->cpu_us_min / cost_at(best->series, scd)->cpu_us_min);
      }
    }
    const double back = worst_backslide(named.series);
    text += fmt::format("<td>{}</td><td>{}</td></tr>", digits(worst_shortfall(named.series)),
                        back > 0.0 ? fmt::format("{:.2f}", back) : "–");
  }
  return text + "</tbody></table></div>";
}

std::string measured_line(const BenchChapter& chapter, const BenchRow* row, bool first) {
  const std::string opening = fmt::format(
      "<tr{}><td class=\"l\">{}</td><td class=\"l\">{}</td><td>{}</td><td>{}</td><td>{}</td>",
      first ? " class=\"first\"" : "", first ? svg_marker(named_of(chapter, row).style) + markup_text(row->method) : "",
      first ? markup_text(name_of(row->form)) : "", power(row->rtol), power(row->atol),
      row->h0 > 0.0 ? power(row->h0) : "");
  if (!row->ok()) return opening + fmt::format("<td class=\"l\" colspan=\"8\">{}</td></tr>", markup_text(row->status));
  return opening +
         fmt::format("<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                     digits(row->mescd), digits(row->scd), row->work.steps, row->work.accepted, row->work.evaluations,
                     row->work.jacobians, row->work.factorizations, seconds(1e-6 * row->cpu_us));
}

std::string characteristics_table(const BenchChapter& chapter, const std::vector<const BenchRow*>& rows,
                                  bool with_printed) {
  std::string text =
      "<div class=\"scroll\"><table><thead><tr><th "
      "class=\"l\">solver</th><th class=\"l\">form</th><th>rtol</th><th>atol</th><th>h0</th><th>mescd</th>"
      "<th>scd</th><th>steps</th><th>accept</th><th>#f</th><th>#Jac</th><th>#LU</th><th>CPU, "
      "s</th></tr></thead><tbody>";
  if (with_printed) {
    text += "<tr class=\"band\"><td colspan=\"13\">printed, on the machine of 2008</td></tr>";
    std::string last;
    for (const PrintedRow& row : chapter.printed->rows) {
      text += fmt::format(
          "<tr class=\"printed{}\"><td class=\"l\">{}</td><td class=\"l\">{}</td><td>{}</td><td>{}</td><td>{}</td>"
          "<td>{:.2f}</td><td>{:.2f}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.4f}</td></tr>",
          row.solver == last ? "" : " first", row.solver == last ? "" : markup_text(row.solver),
          row.solver == last ? "" : markup_text(name_of(chapter.printed->settings.form)), power(row.rtol),
          power(row.rtol), row.h0 ? power(*row.h0) : "", row.mescd, row.scd, row.steps, row.accepted, row.evaluations,
          row.jacobians, row.factorizations, row.cpu_seconds);
      last = row.solver;
    }
    text += fmt::format("<tr class=\"band\"><td colspan=\"13\">measured here{}</td></tr>",
                        chapter.variant.empty() ? "" : ", " + markup_text(chapter.variant));
  }
  const BenchRow* before = nullptr;
  for (const BenchRow* row : rows) {
    const bool first = before == nullptr || before->method != row->method || before->form != row->form;
    text += measured_line(chapter, row, first);
    before = row;
  }
  return text + "</tbody></table></div>";
}

std::string characteristics_section(const BenchChapter& chapter) {
  std::string text = "<h3>Run characteristics</h3>";
  std::vector<const BenchRow*> all;
  for (const auto& named : chapter.named) all.insert(all.end(), named.series.begin(), named.series.end());
  if (chapter.printed == nullptr) {
    text += "<p class=\"faint\">The document of this model prints no such table.</p><details><summary>All " +
            std::to_string(all.size()) + " runs</summary>" + characteristics_table(chapter, all, false) + "</details>";
    return text;
  }
  text += fmt::format(
      "<p class=\"faint\">{}. {} The printed CPU times are of the machine of 2008 and say nothing about this "
      "one.</p>",
      markup_text(chapter.printed->source), markup_text(chapter.printed->remark));
  text += characteristics_table(chapter, chapter.comparable_rows(), true);
  return text + "<details><summary>All " + std::to_string(all.size()) + " runs</summary>" +
         characteristics_table(chapter, all, false) + "</details>";
}

std::string failure_map(const BenchChapter& chapter) {
  std::vector<double> rtols;
  std::map<std::string, std::vector<std::string>> reasons;  // by reason, who
  for (const BenchChapter::Named& named : chapter.named) {
    for (const BenchRow* row : named.series) {
      if (std::find(rtols.begin(), rtols.end(), row->rtol) == rtols.end()) rtols.push_back(row->rtol);
      if (!row->ok()) reasons[row->message].push_back(fmt::format("{} at {:.1e}", named.name, row->rtol));
    }
  }
  std::sort(rtols.rbegin(), rtols.rend());
  std::string text = "<h3>Map of failures</h3>";
  if (reasons.empty()) text += "<p>Every run reached its end.</p>";
  else {
    // Of a fine grid the decades alone have a heading.
    const bool fine = rtols.size() > 16;
    const auto is_decade = [](double rtol) { return std::abs(std::log10(rtol) - std::round(std::log10(rtol))) < 1e-6; };
    text += fmt::format("<div class=\"scroll\"><table class=\"map{}\"><thead><tr><th class=\"l\">method</th>",
                        fine ? " fine" : "");
    for (const double rtol : rtols) text += "<th>" + (fine && !is_decade(rtol) ? "" : power(rtol)) + "</th>";
    text += "</tr></thead><tbody>";
    for (const BenchChapter::Named& named : chapter.named) {
      text += "<tr><td class=\"l\">" + solver(named) + "</td>";
      for (const double rtol : rtols) {
        const auto row =
            std::find_if(named.series.begin(), named.series.end(), [&](const BenchRow* r) { return r->rtol == rtol; });
        if (row == named.series.end()) text += "<td></td>";
        else if ((*row)->ok()) text += "<td class=\"good\">·</td>";
        else text += fmt::format("<td class=\"bad\" title=\"{}\">✕</td>", markup_text((*row)->message));
      }
      text += "</tr>";
    }
    text += "</tbody></table></div><ul>";
    for (const auto& [reason, who] : reasons) {
      std::string list = who.front();
      for (std::size_t i = 1; i < who.size(); ++i) list += ", " + who[i];
      text += fmt::format("<li><b>{}</b>: {}</li>", markup_text(list), markup_text(reason));
    }
    text += "</ul>";
  }
  if (chapter.printed == nullptr || chapter.printed->failures.empty()) return text;
  text += "<p class=\"faint\">Failed runs that the document prints:</p><ul class=\"faint\">";
  for (const PrintedFailure& failure : chapter.printed->failures) {
    text += fmt::format("<li>{}, {}: {}</li>", markup_text(failure.solver), markup_text(failure.where),
                        markup_text(failure.reason));
  }
  return text + "</ul>";
}

// What digits are counted against, where the model brings no solution.
std::string own_reference_note(const BenchChapter& chapter) {
  for (const BenchChapter::Named& named : chapter.named)
    for (const BenchRow* row : named.series)
      if (!row->reference.empty())
        return fmt::format("<p>The model has no reference: digits are counted against {}.</p>",
                           markup_text(row->reference));
  return "";
}

// The diagrams and the table of the objective, where the energy drift has a limit.
std::string objective(const BenchChapter& chapter, const std::optional<double>& limit) {
  if (!limit) return "";
  return fmt::format("<div class=\"pair\"><figure>{}</figure><figure>{}</figure></div>{}",
                     svg_of(drift_diagram(chapter, *limit), false), svg_of(balance_diagram(chapter, *limit), false),
                     drift_table(chapter, *limit));
}

std::string section(const BenchChapter& chapter, const std::optional<double>& limit) {
  return fmt::format(
      "<section id=\"{0}\"><h2>{0}</h2><p class=\"faint\">{1}</p>{7}{8}<div "
      "class=\"pair\"><figure>{2}</figure><figure>{3}"
      "</figure></div><div class=\"columns\"><div>{4}{5}</div><div>{6}</div></div></section>",
      markup_text(chapter.model->name), markup_text(chapter.model->title),
      svg_of(work_precision(chapter, DigitCount::scd), false),
      svg_of(work_precision(chapter, DigitCount::mescd), false), costs(chapter), failure_map(chapter),
      characteristics_section(chapter), own_reference_note(chapter), objective(chapter, limit));
}

}  // namespace

std::string bench_page(const BenchReport& report, const std::vector<BenchChapter>& chapters) {
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">"
      "<title>Raak bench: what accuracy costs</title><style>{}</style></head><body>",
      bench_style);
  text += fmt::format(
      "<header><h1>What accuracy costs</h1><p class=\"faint\">{} on {}, one thread. CPU times are of the "
      "integration alone.</p>",
      markup_text(report.program), markup_text(report.machine));
  if (!report.complete) text += "<p class=\"note\">Stopped by the user: what was measured until then.</p>";
  text += overview(chapters) + "</header><nav><div>";
  for (const BenchChapter& chapter : chapters)
    text += fmt::format("<a href=\"#{0}\">{0}</a>", markup_text(chapter.model->name));
  text += "</div></nav><main>";
  for (const BenchChapter& chapter : chapters) text += section(chapter, report.drift);
  return text +
         "</main><footer><p>scd: correct digits in the worst component that counts, relative error at the end point. "
         "mescd: "
         "the same over all components against atol/rtol + |y|. Diagrams and ratios use the minimum of repeated "
         "integrations, the tables of run characteristics their median. The cost at an accuracy is that of the loosest "
         "rtol "
         "from which every tighter one reaches it too. Shortfall: -log10 rtol minus the digits of q, error against 1 + "
         "|q|. "
         "Backslide: the digits that a tighter rtol lost against a looser one. #f counts evaluations of the "
         "accelerations, "
         "one per state; in the printed rows, of the residual.</p></footer></body></html>\n";
}

}  // namespace raak

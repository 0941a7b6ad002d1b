#include "study/bench/bench_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text/text.h"
#include "methods/method.h"
#include "output/formats/csv.h"
#include "output/plots/time_plot.h"
#include "problems/catalogue.h"
#include "study/bench/bench_document.h"
#include "study/bench/bench_page.h"
#include "study/bench/drift.h"

namespace raak {
namespace {

std::string number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? exact_text(*value) : "";
}

std::string above_zero(double value) {
  return value > 0.0 ? exact_text(value) : "";
}

std::string all_rows(const BenchReport& report) {
  std::string text =
      "model,run,method,formulation,rtol,atol,h0,status,scd,mescd,digits,shortfall,energy_drift,steps,accepted,"
      "rejected,"
      "evaluations,jacobians,factorizations,cpu_us,cpu_us_min,message\n";
  for (const BenchRow& row : report.rows) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_cell(row.model),
                        csv_cell(row.run), row.method, name_of(row.form), exact_text(row.rtol), exact_text(row.atol),
                        above_zero(row.h0), row.status, number(row.scd), number(row.mescd), number(row.digits),
                        number(row.shortfall()), number(row.energy_drift), row.work.steps, row.work.accepted,
                        row.work.rejected, row.work.evaluations, row.work.jacobians, row.work.factorizations,
                        above_zero(row.cpu_us), above_zero(row.cpu_us_min), csv_cell(row.message));
  }
  return text + (report.complete ? "" : "# partial: stopped by the user\n");
}

std::string failures(const BenchReport& report) {
  std::string text = "model,method,formulation,rtol,status,reason\n";
  for (const BenchRow& row : report.rows) {
    if (row.ok()) continue;
    text += fmt::format("{},{},{},{},{},{}\n", csv_cell(row.model), row.method, name_of(row.form), exact_text(row.rtol),
                        row.status, csv_cell(row.message));
  }
  return text;
}

std::string characteristics_file(const BenchChapter& chapter) {
  std::string text = "source,solver,form,rtol,atol,h0,mescd,scd,steps,accept,#f,#Jac,#LU,CPU\n";
  if (chapter.printed != nullptr) {
    for (const PrintedRow& row : chapter.printed->rows) {
      text += fmt::format("printed,{},{},{},{},{},{},{},{},{},{},{},{},{}\n", row.solver,
                          name_of(chapter.printed->settings.form), exact_text(row.rtol), exact_text(row.rtol),
                          number(row.h0), row.mescd, row.scd, row.steps, row.accepted, row.evaluations, row.jacobians,
                          row.factorizations, row.cpu_seconds);
    }
  }
  for (const BenchChapter::Named& named : chapter.named) {
    for (const BenchRow* row : named.series) {
      if (!row->ok()) continue;
      text += fmt::format("measured,{},{},{},{},{},{},{},{},{},{},{},{},{}\n", row->method, name_of(row->form),
                          exact_text(row->rtol), exact_text(row->atol), above_zero(row->h0), number(row->mescd),
                          number(row->scd), row->work.steps, row->work.accepted, row->work.evaluations,
                          row->work.jacobians, row->work.factorizations, above_zero(1e-6 * row->cpu_us));
    }
  }
  return text;
}

bool same_rtol(double a, double b) {
  return std::abs(std::log10(a / b)) < 1e-6;
}

}  // namespace

std::string machine_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "an unnamed processor";
}

std::vector<const BenchRow*> BenchChapter::comparable_rows() const {
  std::vector<const BenchRow*> all;
  std::vector<const BenchRow*> comparable;
  bool found = false;
  for (const Named& one : named) {
    for (const BenchRow* row : one.series) {
      all.push_back(row);
      const bool compares =
          printed != nullptr && std::any_of(printed->rows.begin(), printed->rows.end(),
                                            [&](const PrintedRow& p) { return same_rtol(p.rtol, row->rtol); });
      found = found || compares;
      if (compares || row->status == "refused") comparable.push_back(row);
    }
  }
  return found ? comparable : all;
}

namespace {

// Every method of the catalogue, then the others by name: a method looks the same in the diagrams of every bench.
std::vector<std::string> methods_in_order(const std::set<std::string>& measured) {
  std::vector<std::string> methods;
  for (const MethodInfo& method : method_catalogue()) methods.push_back(method.name);
  for (const std::string& name : measured)
    if (std::find(methods.begin(), methods.end(), name) == methods.end()) methods.push_back(name);
  return methods;
}

}  // namespace

std::vector<BenchChapter> chapters_of(const BenchReport& report) {
  std::set<std::string> measured;
  for (const BenchRow& row : report.rows) measured.insert(row.method);
  const std::vector<std::string> methods = methods_in_order(measured);
  std::vector<BenchChapter> chapters;
  const std::vector<BenchSeries> all = series_of(report.rows);
  for (const ModelSource* model : report.models) {
    std::map<std::string, int> forms;  // of a method on this model
    for (const BenchSeries& series : all)
      if (series.front()->model == model->name) ++forms[series.front()->method];
    BenchChapter chapter{model, find_printed_runs(model->name), {}, report.variant};
    for (const BenchSeries& series : all) {
      const BenchRow& row = *series.front();
      if (row.model != model->name) continue;
      const bool several = forms.at(row.method) > 1;
      const auto known = std::find(methods.begin(), methods.end(), row.method);
      chapter.named.push_back({series, several ? row.method + " " + name_of(row.form) : row.method,
                               static_cast<int>(known - methods.begin()), several ? static_cast<int>(row.form) : 0});
    }
    if (!chapter.named.empty()) chapters.push_back(std::move(chapter));
  }
  return chapters;
}

Plot work_precision(const BenchChapter& chapter, DigitCount count) {
  const std::string label = count == DigitCount::scd ? "scd" : "mescd";
  Plot plot{
      chapter.model->name + ": " + label + " against CPU time", label + " (correct digits)", "CPU time, µs", true, {}};
  if (chapter.printed != nullptr) {
    PlotSeries printed{"printed, 2008", {}, 0, true};
    for (const PrintedRow& row : chapter.printed->rows) {
      printed.points.push_back({count == DigitCount::scd ? row.scd : row.mescd, 1e6 * row.cpu_seconds,
                                fmt::format("{} at rtol {:.0e}, printed: {:.0f} µs on the machine of 2008", row.solver,
                                            row.rtol, 1e6 * row.cpu_seconds)});
    }
    plot.series.push_back(std::move(printed));
  }
  for (const BenchChapter::Named& named : chapter.named) {
    PlotSeries series{named.name, {}, named.style, false, named.dashes};
    for (const BenchRow* row : named.series) {
      const std::optional<double>& digits = count == DigitCount::scd ? row->scd : row->mescd;
      if (!row->ok() || !digits) continue;
      series.points.push_back({*digits, row->cpu_us_min,
                               fmt::format("{} at rtol {:.1e}: {} {:.2f} in {:.1f} µs", named.name, row->rtol, label,
                                           *digits, row->cpu_us_min)});
    }
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  }
  return plot;
}

namespace {

// In the folder, whatever the path of the model file is; the second of a name gets a number.
std::string file_name_of(const ModelSource& model, std::set<std::string>& taken) {
  const std::string stem = plot_file_name(std::filesystem::path(model.name).filename().string());
  std::string name = stem;
  for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}-{}", stem, i);
  return name;
}

}  // namespace

std::string write_bench_report(const OutputFolder& folder, const BenchReport& report) {
  for (const ModelSource& source : problem_catalogue()) {
    for (const char* ending : {"-characteristics.csv", "-scd.svg", "-mescd.svg", "-drift.svg", "-balance.svg"})
      folder.remove(source.name + ending);
  }
  const std::vector<BenchChapter> chapters = chapters_of(report);
  std::set<std::string> names;
  for (const BenchChapter& chapter : chapters) {
    const std::string name = file_name_of(*chapter.model, names);
    folder.write(name + "-characteristics.csv", characteristics_file(chapter));
    folder.write(name + "-scd.svg", svg_of(work_precision(chapter, DigitCount::scd), true));
    folder.write(name + "-mescd.svg", svg_of(work_precision(chapter, DigitCount::mescd), true));
    if (!report.drift) continue;
    folder.write(name + "-drift.svg", svg_of(drift_diagram(chapter, *report.drift), true));
    folder.write(name + "-balance.svg", svg_of(balance_diagram(chapter, *report.drift), true));
  }
  folder.write("bench.csv", all_rows(report));
  folder.write("failures.csv", failures(report));
  folder.write("bench.html", bench_page(report, chapters));
  folder.write("bench.json", text_of(Json{{"program", report.program},
                                          {"machine", report.machine},
                                          {"status", report.complete ? "ok" : "interrupted"},
                                          {"rows", bench_document(report.rows)}}));
  return (folder.path() / "bench.html").string();
}

}  // namespace raak

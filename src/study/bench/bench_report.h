// A bench as files: tables in the columns of the source documents, work-precision diagrams and one page with all of it.
#pragma once
#include <string>
#include <vector>

#include "output/folder/folder.h"
#include "output/formats/svg.h"
#include "problems/printed_runs.h"
#include "study/bench/bench_series.h"

namespace raak {

struct BenchReport {
  std::string program;  // with its version
  std::string machine;
  std::vector<const ModelSource*> models;
  std::vector<BenchRow> rows;
  bool complete = true;              // false: stopped by the user
  std::string variant = {};          // of the run and the settings; empty: those of the documents
  std::optional<double> drift = {};  // J, the limit of the energy drift, where there is one
};

// The processor, as the system names it.
std::string machine_name();

// bench.html, bench.json, bench.csv, failures.csv and for each model MODEL-characteristics.csv, MODEL-scd.svg and
// MODEL-mescd.svg, with a limit of the drift also MODEL-drift.svg and MODEL-balance.svg. Returns the path of the page.
std::string write_bench_report(const OutputFolder& folder, const BenchReport& report);

// One model of a report: its series and how each is called and drawn, the same in every diagram of the report.
struct BenchChapter {
  struct Named {
    BenchSeries series;
    std::string name;
    int style = 0;   // of the method
    int dashes = 0;  // of the form, where a method was run in several
  };
  const ModelSource* model = nullptr;
  const PrintedRuns* printed = nullptr;  // null: none
  std::vector<Named> named;
  std::string variant = {};  // of the report

  // Those at tolerances that the document prints too and those that say why there are no more; all, where it prints
  // none of them.
  std::vector<const BenchRow*> comparable_rows() const;
};
std::vector<BenchChapter> chapters_of(const BenchReport& report);

enum class DigitCount { scd, mescd };
Plot work_precision(const BenchChapter& chapter, DigitCount count);

}  // namespace raak

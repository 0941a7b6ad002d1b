// What the documents of the problems print about runs: the run characteristics row by row, to lay measured rows beside
// them, and the settings of their work-precision diagrams, to measure in the same way.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "system/equations/forms.h"

namespace raak {

struct PrintedRow {
  std::string solver;
  double rtol = 0.0;         // = atol
  std::optional<double> h0;  // s
  double mescd = 0.0, scd = 0.0;
  int steps = 0, accepted = 0, evaluations = 0, jacobians = 0, factorizations = 0;
  double cpu_seconds = 0.0;  // on the machine of 2008
};

struct PrintedFailure {
  std::string solver;
  std::string where;  // rtol = 10^-(4 + m/k), the m that failed
  std::string reason;
};

// How the runs of the work-precision diagrams were made: rtol = 10^-(4 + m/points_a_decade) for m = 0 .. last, atol =
// rtol, h0 = h0_of_rtol * rtol.
struct PrintedSettings {
  int points_a_decade = 1;
  int last = 0;
  Form form;
  double h0_of_rtol = 1.0;  // s

  std::vector<double> rtols() const;  // loosest first
};

struct PrintedRuns {
  std::string model;
  std::string source;
  std::string remark;  // on the form that was solved and on the counts
  PrintedSettings settings;
  std::vector<PrintedRow> rows;
  std::vector<PrintedFailure> failures;
};

// All of them, in the order of the documents.
const std::vector<PrintedRuns>& printed_runs();
// Null: the document of this model prints none.
const PrintedRuns* find_printed_runs(const std::string& model);

// The energy drift, J, below which the document of a model asks for the least CPU time; nothing: it does not.
std::optional<double> printed_drift(const std::string& model);

}  // namespace raak

// The run characteristics printed in the literature, row by row, to lay measured rows beside them.
#pragma once
#include <optional>
#include <string>
#include <vector>

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

struct PrintedRuns {
  std::string model;
  std::string source;
  std::string remark;  // on the form that was solved and on the counts
  std::vector<PrintedRow> rows;
  std::vector<PrintedFailure> failures;
};

// Null: the document of this model prints none.
const PrintedRuns* find_printed_runs(const std::string& model);

}  // namespace raak

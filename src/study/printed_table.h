// A run beside a table that its document prints over time: each number as printed and as computed.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "kinematics/model.h"
#include "run/integrate.h"

namespace raak {

struct PrintedColumn {
  std::string name;                    // of result.csv, or of trace.csv: now.I.J, V_I of the moment
  std::vector<double> printed, found;  // at the times of the table; not a number where it prints nothing

  // Of the largest difference.
  std::size_t worst() const;
};

struct PrintedTable {
  std::string source, remark;
  std::vector<double> t;  // s
  std::vector<PrintedColumn> columns;
};

// None where the document prints no table over time for these parameters.
const Reference* find_printed_table(const Model& model);

// Integrates as `plan` says, up to its end, with samples at the times of the table. None where there is no table, or
// where the run fails.
std::optional<PrintedTable> compare_with_print(const Model& model, const State& start, const Plan& plan);

}  // namespace raak

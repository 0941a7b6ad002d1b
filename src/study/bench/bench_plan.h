// Which runs a bench makes of a model: the methods, their forms, and for each the tolerances that it is asked for.
#pragma once
#include <string>
#include <vector>

#include "study/bench/bench.h"

namespace raak {

// One method on one form: the tolerances it is asked for, loosest first, and why not for more.
struct PlannedSeries {
  const MethodInfo& method;
  Form form;
  std::vector<double> rtols;
  std::string refusal;        // empty: nothing was left out
  double refused_rtol = 0.0;  // the loosest that was left out

  std::size_t rows() const { return rtols.size() + (refusal.empty() ? 0 : 1); }
};

std::vector<PlannedSeries> planned_series(const ModelSource& source, const BenchRequest& request);

}  // namespace raak

// The objective of the IFToMM benchmark A03: the least CPU time while the energy balance stays within a limit. Marks
// the rows of a bench that do, and looks again at the cheapest one of each method.
#pragma once
#include <vector>

#include "output/formats/svg.h"
#include "study/bench/bench_report.h"

namespace raak {

// `limit` in J; the rows are those of one model, made by `request`.
void judge_drift(const ModelSource& source, const BenchRequest& request, double limit, std::vector<BenchRow>& rows);

// Whether any method has a run that does.
bool any_holds_drift(const std::vector<BenchRow>& rows);

// Why a method has no run that holds the limit: what it has reached.
std::string reached_drift(const BenchSeries& series, double limit);

// Energy drift against CPU time, every run; and the energy balance over time of the cheapest run of each method.
Plot drift_diagram(const BenchChapter& chapter, double limit);
Plot balance_diagram(const BenchChapter& chapter, double limit);

// The table of the objective, as HTML.
std::string drift_table(const BenchChapter& chapter, double limit);

}  // namespace raak

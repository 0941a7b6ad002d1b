#include "study/bench/bench_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/text.h"

namespace raak {
namespace {

// Accelerations of index 1 with projection onto both levels are one method, whether it is called index1, index3 or ggl.
bool repeats_index_one(const MethodInfo& method, Form form) {
  return method.forms.front() == Form::index1 && (form == Form::index3 || form == Form::ggl);
}

std::vector<Form> forms_of(const MethodInfo& method, const Run& run, const BenchRequest& request) {
  if (!request.forms.empty()) return request.forms;
  return {method.nearest(request.own_form.value_or(run.form))};
}

// Leaves out what a method that nobody named is not made for: second order has no seventh digit to give.
void leave_out_of_reach(PlannedSeries& series) {
  const double tightest = series.method.tightest_rtol * (1.0 - 1e-9);
  const auto first = std::find_if(series.rtols.begin(), series.rtols.end(), [&](double r) { return r < tightest; });
  if (first == series.rtols.end()) return;
  series.refusal = fmt::format(
      "\"{0}\" is made for rtol {1:.0e} and looser: the {2} tighter one{3} of the grid {4} "
      "left out; --methods {0} measures them",
      series.method.name, series.method.tightest_rtol, series.rtols.end() - first,
      series.rtols.end() - first == 1 ? "" : "s", series.rtols.end() - first == 1 ? "is" : "are");
  series.refused_rtol = *first;
  series.rtols.erase(first, series.rtols.end());
}

}  // namespace

std::vector<PlannedSeries> planned_series(const ModelSource& source, const BenchRequest& request) {
  std::vector<const MethodInfo*> methods;
  for (const std::string& name : request.methods) methods.push_back(&find_method(name));
  if (methods.empty())
    for (const MethodInfo& method : method_catalogue()) methods.push_back(&method);
  std::vector<double> rtols = request.rtols;
  std::sort(rtols.rbegin(), rtols.rend());
  std::vector<PlannedSeries> all;
  if (rtols.empty()) return all;
  for (const MethodInfo* method : methods)
    for (const Form form : forms_of(*method, find_run(source, request.run), request)) {
      if (request.all_forms && (!method->has(form) || repeats_index_one(*method, form))) continue;
      PlannedSeries series{*method, form, rtols, {}};
      if (!method->has(form)) {
        series.refusal = missing_form(*method, form);
        series.refused_rtol = rtols.front();
        series.rtols.clear();
      } else if (request.methods.empty()) {
        leave_out_of_reach(series);
      }
      all.push_back(std::move(series));
    }
  return all;
}

std::size_t planned_rows(const ModelSource& source, const BenchRequest& request) {
  std::size_t rows = 0;
  for (const PlannedSeries& series : planned_series(source, request)) rows += series.rows();
  return rows;
}

}  // namespace raak

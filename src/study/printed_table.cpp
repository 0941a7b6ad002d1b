#include "study/printed_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "kinematics/rank/constraint_svd.h"
#include "output/folder/trace_files.h"
#include "study/accuracy.h"

namespace raak {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

double value_of(const std::map<std::string, double>& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? missing : found->second;
}

// Of results, then V_I of the moment.
std::map<std::string, double> numbers_of(const ConstrainedSystem& system, const Sample& sample) {
  std::map<std::string, double> numbers = components(system, sample.state, sample.outputs);
  const ConstraintSvd svd(system, sample.state.t, sample.state.q);
  for (Eigen::Index i = 0; i < svd.VI.rows(); ++i)
    for (Eigen::Index j = 0; j < svd.VI.cols(); ++j) numbers[fmt::format("now.{}.{}", i + 1, j + 1)] = svd.VI(i, j);
  return numbers;
}

// In the order of the files of results.
std::vector<PrintedColumn> columns_of(const Reference& table, const ConstrainedSystem& system) {
  std::vector<std::string> order = result_columns(system);
  for (const std::string& name : trace_columns(system, Trace::coordinates)) order.push_back(name);
  std::vector<PrintedColumn> columns;
  for (const std::string& name : order)
    if (name != "t" && table.values.rbegin()->second.contains(name)) columns.push_back({name, {}, {}});
  return columns;
}

}  // namespace

std::size_t PrintedColumn::worst() const {
  std::size_t place = 0;
  double largest = -1.0;
  for (std::size_t i = 0; i < printed.size(); ++i) {
    if (!(std::abs(found[i] - printed[i]) > largest)) continue;
    largest = std::abs(found[i] - printed[i]);
    place = i;
  }
  return place;
}

const Reference* find_printed_table(const Model& model) {
  const auto found = std::find_if(model.references.begin(), model.references.end(), [](const Reference& reference) {
    return reference.kind == Reference::Kind::published && reference.values.size() > 1;
  });
  return found == model.references.end() ? nullptr : &*found;
}

std::optional<PrintedTable> compare_with_print(const Model& model, const State& start, const Plan& plan) {
  const Reference* const printed = find_printed_table(model);
  if (printed == nullptr) return std::nullopt;
  PrintedTable table{printed->source, printed->remark, {}, columns_of(*printed, *model.system)};
  Plan sampled;
  sampled.until = plan.until;
  sampled.method = plan.method;
  sampled.form = plan.form;
  sampled.tolerances = plan.tolerances;
  sampled.fixed_step = plan.fixed_step;
  sampled.first_step = plan.first_step;
  sampled.partitions.threshold = plan.partitions.threshold;
  for (const auto& [t, values] : printed->values)
    if (t >= start.t && t <= plan.until) sampled.sample_times.push_back(t);
  if (sampled.sample_times.empty()) return std::nullopt;
  const Result result = integrate(*model.system, start, sampled, [&](const Sample& sample) {
    const auto row = printed->values.find(sample.state.t);
    if (row == printed->values.end()) return;
    table.t.push_back(sample.state.t);
    const auto found = numbers_of(*model.system, sample);
    for (PrintedColumn& column : table.columns) {
      column.printed.push_back(value_of(row->second, column.name));
      column.found.push_back(value_of(found, column.name));
    }
  });
  if (result.termination != Termination::ok) return std::nullopt;
  return table;
}

}  // namespace raak

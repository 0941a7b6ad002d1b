#include "output/recording.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>

namespace raak {
namespace {

constexpr std::size_t most_rows = 8192;

// A row that stands for both: where the later one ended, the shorter step, the larger violations.
void merge(double* row, const double* later) {
  row[0] = later[0];
  if (std::abs(later[1]) < std::abs(row[1])) row[1] = later[1];
  row[2] = later[2];
  row[3] = std::max(row[3], later[3]);
  row[4] = std::max(row[4], later[4]);
}

}  // namespace

void StepLog::add(const StepReport& step) {
  const double row[columns] = {step.t, step.h, static_cast<double>(step.order), step.position_residual,
                               step.velocity_residual};
  if (merged_ > 0 && merged_ < steps_a_row_) {
    merge(rows_.data() + rows_.size() - columns, row);
    ++merged_;
    return;
  }
  if (rows_.size() == most_rows * columns) halve();
  rows_.insert(rows_.end(), row, row + columns);
  merged_ = 1;
}

void StepLog::halve() {
  const std::size_t rows = rows_.size() / columns / 2;
  for (std::size_t i = 0; i < rows; ++i) {
    double* const kept = rows_.data() + i * columns;
    std::copy_n(rows_.data() + 2 * i * columns, columns, kept);
    merge(kept, rows_.data() + (2 * i + 1) * columns);
  }
  rows_.resize(rows * columns);
  steps_a_row_ *= 2;
}

std::vector<double> frame_times(double start, double until, long frames) {
  std::vector<double> times;
  if (start == until) return {start};
  for (long i = 0; i < frames; ++i) {
    times.push_back(start + (until - start) * (static_cast<double>(i) / static_cast<double>(frames)));
  }
  times.push_back(until);
  return times;
}

void append_row(std::vector<double>& row, const State& shown, const Vector& outputs) {
  row.push_back(shown.t);
  for (const Vector* part : {&shown.q, &shown.v, &shown.a, &shown.lambda, &outputs}) {
    row.insert(row.end(), part->begin(), part->end());
  }
}

Json accounts_document(const ConstrainedSystem& system) {
  Json list = Json::array();
  const EnergyAccounts* const accounts = system.energy_accounts();
  if (accounts == nullptr) return list;
  for (const auto* part : {&accounts->potentials(), &accounts->works()})
    for (const EnergyAccount& account : *part)
      list.push_back({{"name", account.name}, {"kind", kind_name(account.kind)}});
  return list;
}

Json drawing_document(const Drawing& drawing) {
  Json elements = Json::array();
  for (const DrawingElement& element : drawing.elements) {
    Json entry{{"kind", kind_name(element.kind)}, {"points", element.points}};
    if (!element.name.empty()) entry["name"] = element.name;
    if (element.size > 0.0) entry["size"] = element.size;
    elements.push_back(std::move(entry));
  }
  return {{"dimension", drawing.dimension},
          {"up", drawing.up},
          {"points", drawing.points},
          {"elements", std::move(elements)}};
}

}  // namespace raak

#include "study/sweep/sweep_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/text/text.h"

namespace raak {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t numbers_in_memory = std::size_t{1} << 24;  // 128 MB, of some columns at a time
constexpr std::size_t most_map_bins = 20;

std::size_t bin_of(double x, double from, double to, std::size_t bins) {
  if (!(to > from)) return 0;
  return std::min(bins - 1, static_cast<std::size_t>((x - from) / (to - from) * static_cast<double>(bins)));
}

Json histogram_of(std::span<const double> values, double from, double to, std::size_t bins) {
  std::vector<std::uint64_t> counts(bins);
  for (const double x : values) ++counts[bin_of(x, from, to, bins)];
  return {{"from", number_or_null(from)}, {"to", number_or_null(to)}, {"counts", counts}};
}

Json column_document(const SweepResults& results, const KeptColumn& kept, std::vector<double> values) {
  const SweepPlan& plan = results.swept().plan;
  std::vector<double> finite;
  finite.reserve(values.size());
  for (const double x : values)
    if (std::isfinite(x)) finite.push_back(x);
  const Moments moments = moments_of(finite);
  Json document{{"unit", kept.unit},
                {"count", moments.count},
                {"mean", number_or_null(moments.mean)},
                {"deviation", number_or_null(moments.deviation)},
                {"min", number_or_null(moments.min)},
                {"max", number_or_null(moments.max)}};
  if (plan.sobol_indices) {
    const SobolIndices indices = sobol_indices(values, results.swept().roles.size());
    Json& entry = document["sobol"] = {{"groups", indices.groups}};
    for (std::size_t k = 0; k < indices.first.size(); ++k) {
      entry["first"][results.swept().design.factors()[k].name] = number_or_null(indices.first[k]);
      entry["total"][results.swept().design.factors()[k].name] = number_or_null(indices.total[k]);
    }
  }
  std::vector<double>().swap(values);
  std::sort(finite.begin(), finite.end());
  for (const double p : plan.quantiles) document["quantiles"][exact_text(p)] = number_or_null(quantile_of(finite, p));
  document["histogram"] = histogram_of(finite, moments.min, moments.max, plan.bins);
  return document;
}

// How many cases of each part of a factor's range failed.
Json failure_map(const SweepResults& results, std::size_t factor) {
  const Design& design = results.swept().design;
  std::vector<double> numbers(design.factors().size());
  double from = std::numeric_limits<double>::infinity(), to = -from;
  const auto for_each = [&](const auto& use) {
    for (std::uint64_t i = 0; i < results.cases(); ++i) {
      design.numbers(i, numbers);
      use(i, numbers[factor]);
    }
  };
  for_each([&](std::uint64_t, double x) {
    from = std::min(from, x);
    to = std::max(to, x);
  });
  std::vector<std::uint64_t> cases(most_map_bins), failed(most_map_bins);
  for_each([&](std::uint64_t i, double x) {
    const std::size_t bin = bin_of(x, from, to, most_map_bins);
    ++cases[bin];
    if (results.outcomes()[i] != 0) ++failed[bin];
  });
  return {{"from", from}, {"to", to}, {"cases", cases}, {"failed", failed}};
}

Json failures_document(const SweepResults& results) {
  Json document{{"causes", Json::array()}};
  std::vector<std::uint64_t> counts(results.causes().size() + 1);
  for (const std::uint8_t outcome : results.outcomes()) ++counts[outcome];
  for (std::size_t i = 0; i < results.causes().size(); ++i) {
    const BlockCause& each = results.causes()[i];
    document["causes"].push_back(
        {{"cause", each.cause}, {"cases", counts[i + 1]}, {"first_case", each.first_case}, {"message", each.message}});
  }
  if (results.failed() == 0) return document;
  for (std::size_t k = 0; k < results.swept().design.factors().size(); ++k)
    document["map"][results.swept().design.factors()[k].name] = failure_map(results, k);
  return document;
}

}  // namespace

Moments moments_of(std::span<const double> finite) {
  Moments found{finite.size(), no_number, no_number, no_number, no_number};
  if (finite.empty()) return found;
  const auto count = static_cast<double>(finite.size());
  found.mean = tree_sum(0, finite.size(), [&](std::size_t i) { return finite[i]; }) / count;
  const auto [min, max] = std::minmax_element(finite.begin(), finite.end());
  found.min = *min;
  found.max = *max;
  if (finite.size() < 2) return found;
  const double squares =
      tree_sum(0, finite.size(), [&](std::size_t i) { return (finite[i] - found.mean) * (finite[i] - found.mean); });
  found.deviation = std::sqrt(squares / (count - 1.0));
  return found;
}

double quantile_of(std::span<const double> ascending, double p) {
  if (ascending.empty()) return no_number;
  const double place = p * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] + (place - static_cast<double>(below)) * (ascending[above] - ascending[below]);
}

SobolIndices sobol_indices(std::span<const double> values, std::size_t factors) {
  const std::size_t group = factors + 2, groups = values.size() / group;
  std::vector<std::size_t> whole;  // first places of the groups
  for (std::size_t j = 0; j < groups; ++j) {
    const auto part = values.subspan(j * group, group);
    if (std::all_of(part.begin(), part.end(), [](double x) { return std::isfinite(x); })) whole.push_back(j * group);
  }
  SobolIndices found{std::vector<double>(factors, no_number), std::vector<double>(factors, no_number), whole.size()};
  if (whole.size() < 2) return found;
  const auto count = static_cast<double>(whole.size());
  const auto a = [&](std::size_t i) { return values[whole[i]]; };
  const auto b = [&](std::size_t i) { return values[whole[i] + factors + 1]; };
  const double mean = tree_sum(0, whole.size(), [&](std::size_t i) { return a(i) + b(i); }) / (2.0 * count);
  const double variance =
      tree_sum(0, whole.size(),
               [&](std::size_t i) { return (a(i) - mean) * (a(i) - mean) + (b(i) - mean) * (b(i) - mean); }) /
      (2.0 * count - 1.0);
  // Of numbers that differ by rounding alone there are no shares.
  if (!(variance > 1e-28 * mean * mean)) return found;
  for (std::size_t k = 0; k < factors; ++k) {
    const auto ab = [&](std::size_t i) { return values[whole[i] + 1 + k]; };
    found.first[k] =
        tree_sum(0, whole.size(), [&](std::size_t i) { return (b(i) - mean) * (ab(i) - a(i)); }) / count / variance;
    found.total[k] = tree_sum(0, whole.size(), [&](std::size_t i) { return (a(i) - ab(i)) * (a(i) - ab(i)); }) /
                     (2.0 * count) / variance;
  }
  return found;
}

Json summary_document(const SweepResults& results) {
  Json document{{"cases", results.cases()}, {"failed", results.failed()}, {"columns", Json::object()}};
  std::vector<const KeptColumn*> columns;
  for (const KeptColumn& kept : results.swept().kept)
    if (kept.measure.kind != Measure::Kind::trajectory) columns.push_back(&kept);
  const std::size_t at_once = std::max<std::size_t>(1, numbers_in_memory / std::max<std::uint64_t>(1, results.cases()));
  for (std::size_t first = 0; first < columns.size(); first += at_once) {
    std::vector<std::size_t> places;
    for (std::size_t i = first; i < std::min(first + at_once, columns.size()); ++i) places.push_back(columns[i]->first);
    std::vector<std::vector<double>> numbers = results.numbers(places);
    for (std::size_t i = 0; i < places.size(); ++i)
      document["columns"][columns[first + i]->name] =
          column_document(results, *columns[first + i], std::move(numbers[i]));
  }
  document["failures"] = failures_document(results);
  return document;
}

}  // namespace raak

#include "study/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "base/error.h"
#include "base/text/text.h"
#include "output/formats/json.h"

namespace raak {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
constexpr double same_time = 1e-12, nearly_all = 0.9;
constexpr std::size_t enough_times = 10;

// All moments of a run whose values are known, in the order of time: rows of the table and frames of the report, or
// frames alone where the table has some of the columns only.
class Timeline {
 public:
  explicit Timeline(const StoredRun& run) : run_(run) {
    if (run.table.size() == run.recording.columns.size()) rows_ = run.rows_of("t");
    const std::size_t stride = run.recording.columns.size();
    std::vector<double> all = rows_;
    for (std::size_t i = 0; i < run.recording.frame_count(); ++i) all.push_back(run.recording.frames[i * stride]);
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return all[a] < all[b]; });
    for (const std::size_t i : order) {
      if (!std::isfinite(all[i]) || (!t_.empty() && t_.back() == all[i])) continue;
      t_.push_back(all[i]);
      places_.push_back(i);
    }
  }

  const std::vector<double>& t() const { return t_; }

  std::vector<double> values(const std::string& column) const {
    const Recording& recording = run_.recording;
    const std::vector<double> rows = rows_.empty() ? rows_ : run_.rows_of(column);
    const auto at = static_cast<std::size_t>(std::find(recording.columns.begin(), recording.columns.end(), column) -
                                             recording.columns.begin());
    std::vector<double> values;
    for (const std::size_t place : places_)
      values.push_back(place < rows.size() ? rows[place]
                                           : recording.frames[(place - rows.size()) * recording.columns.size() + at]);
    return values;
  }

 private:
  const StoredRun& run_;
  std::vector<double> rows_;
  std::vector<double> t_;
  std::vector<std::size_t> places_;
};

// The cubic polynomial through the four moments around t; fewer where there are no more.
double interpolate(const std::vector<double>& t, const std::vector<double>& values, double at) {
  const auto next = static_cast<std::size_t>(std::lower_bound(t.begin(), t.end(), at) - t.begin());
  if (next < t.size() && t[next] == at) return values[next];
  const std::size_t points = std::min<std::size_t>(4, t.size());
  const std::size_t first = std::min(next < 2 ? 0 : next - 2, t.size() - points);
  double sum = 0.0;
  for (std::size_t i = first; i < first + points; ++i) {
    double weight = 1.0;
    for (std::size_t k = first; k < first + points; ++k)
      if (k != i) weight *= (at - t[k]) / (t[i] - t[k]);
    sum += weight * values[i];
  }
  return sum;
}

struct Pairs {
  Matching matching;
  std::vector<std::pair<std::size_t, std::size_t>> same;  // places of equal times
  std::vector<std::size_t> first;                         // of the first run, where the other is interpolated
};

Pairs match(const std::vector<double>& a, const std::vector<double>& b) {
  Pairs pairs;
  pairs.matching.from = std::max(a.front(), b.front());
  pairs.matching.to = std::min(a.back(), b.back());
  const double span = pairs.matching.to - pairs.matching.from;
  for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    if (std::abs(a[i] - b[k]) <= same_time * std::max(std::abs(a[i]), std::abs(span)))
      pairs.same.emplace_back(i++, k++);
    else if (a[i] < b[k]) ++i;
    else ++k;
  }
  const bool enough = pairs.same.size() >= std::min({enough_times, a.size(), b.size()}) && pairs.same.size() > 1 &&
                      a[pairs.same.back().first] - a[pairs.same.front().first] >= nearly_all * span;
  pairs.matching.times = pairs.same.size();
  if (enough) return pairs;
  pairs.matching.interpolated = true;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] >= pairs.matching.from && a[i] <= pairs.matching.to) pairs.first.push_back(i);
  pairs.matching.times = pairs.first.size();
  return pairs;
}

std::string unit_of(const StoredRun& run, const std::string& column) {
  const Recording& recording = run.recording;
  const auto at = static_cast<std::size_t>(std::find(recording.columns.begin(), recording.columns.end(), column) -
                                           recording.columns.begin());
  return at < recording.units.size() ? recording.units[at] : "";
}

void find_common(const std::vector<StoredRun>& runs, Comparison& comparison) {
  // A name in another unit is another quantity, and so is the multiplier of another constraint.
  std::vector<std::map<std::string, std::string>> units;
  for (const StoredRun& run : runs) {
    units.emplace_back();
    for (const std::string& column : run.recording.columns) units.back()[column] = unit_of(run, column);
    const Json rows = run.about.value("constraints", Json::array());
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (const auto found = units.back().find(fmt::format("lambda.{}", i + 1)); found != units.back().end())
        found->second += " " + compact_text(rows[i]);
  }
  const auto& first = units.front();
  const auto in_all = [&](const std::string& column) {
    const auto wanted = first.find(column);
    return wanted != first.end() && std::all_of(units.begin(), units.end(), [&](const auto& each) {
             const auto found = each.find(column);
             return found != each.end() && found->second == wanted->second;
           });
  };
  for (const std::string& column : runs.front().recording.columns)
    if (column != "t" && in_all(column)) comparison.common.push_back(column);
  for (const StoredRun& run : runs) {
    comparison.only.emplace_back();
    for (const std::string& column : run.recording.columns)
      if (column != "t" && !in_all(column)) comparison.only.back().push_back(column);
  }
  if (!comparison.common.empty()) return;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < runs.size(); ++i)
    parts.push_back(fmt::format("\"{}\" has {}", runs[i].folder.string(), join(comparison.only[i])));
  refuse("the runs have no quantity in common: " + join(parts, "; "));
}

Difference difference_of(const Pairs& pairs, const std::vector<double>& t, const std::vector<double>& first,
                         const std::vector<double>& other_t, const std::vector<double>& other) {
  Difference worst;
  worst.largest = worst.t = worst.first = worst.other = not_known;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto compare = [&](std::size_t place, double value) {
    const double size = std::abs(value - first[place]);
    if (!std::isfinite(size)) return;
    low = std::min(low, first[place]);
    high = std::max(high, first[place]);
    if (size <= worst.largest) return;
    worst.largest = size;
    worst.t = t[place];
    worst.first = first[place];
    worst.other = value;
  };
  if (pairs.matching.interpolated)
    for (const std::size_t place : pairs.first) compare(place, interpolate(other_t, other, t[place]));
  else
    for (const auto& [place, match] : pairs.same) compare(place, other[match]);
  worst.range = low <= high ? high - low : not_known;
  return worst;
}

}  // namespace

Comparison compare_runs(const std::vector<StoredRun>& runs) {
  Comparison comparison;
  find_common(runs, comparison);
  std::vector<Timeline> timelines;
  for (const StoredRun& run : runs) {
    timelines.emplace_back(run);
    if (timelines.back().t().empty()) refuse(fmt::format("\"{}\" has no rows to compare", run.folder.string()));
  }
  const std::vector<double>& t = timelines.front().t();
  std::vector<Pairs> pairs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    pairs.push_back(match(t, timelines[i].t()));
    const Matching& matching = pairs.back().matching;
    if (matching.times == 0)
      refuse(fmt::format("\"{}\" (t = {:.9g} to {:.9g} s) and \"{}\" (t = {:.9g} to {:.9g} s) have no time in common",
                         runs.front().folder.string(), t.front(), t.back(), runs[i].folder.string(),
                         timelines[i].t().front(), timelines[i].t().back()));
    comparison.matchings.push_back(matching);
  }
  for (const std::string& column : comparison.common) {
    const std::vector<double> first = timelines.front().values(column);
    for (std::size_t i = 1; i < runs.size(); ++i) {
      Difference difference = difference_of(pairs[i], t, first, timelines[i].t(), timelines[i].values(column));
      difference.column = column;
      difference.unit = unit_of(runs.front(), column);
      difference.run = i;
      comparison.differences.push_back(std::move(difference));
    }
  }
  return comparison;
}

std::vector<std::string> run_labels(const std::vector<std::string>& folders) {
  std::vector<std::string> labels;
  std::set<std::string> different;
  for (const std::string& folder : folders) {
    const std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
    labels.push_back(path.has_filename() ? path.filename().string() : path.parent_path().filename().string());
    different.insert(labels.back());
  }
  const bool clear = different.size() == folders.size() && !different.contains("") && !different.contains(".");
  return clear ? labels : folders;
}

std::vector<std::vector<std::string>> differing_settings(const std::vector<StoredRun>& runs) {
  std::map<std::string, std::set<std::string>> values;
  std::set<std::string> models;
  const auto each_parameter = [](const StoredRun& run, const auto& use) {
    const auto list = run.about.find("parameters");
    if (list == run.about.end() || !list->is_array()) return;
    for (const Json& parameter : *list)
      use(parameter.value("name", ""), parameter.value("value", ""), parameter.value("set", false));
  };
  for (const StoredRun& run : runs) {
    models.insert(run.document.value("model", ""));
    each_parameter(run, [&](const std::string& name, const std::string& value, bool) { values[name].insert(value); });
  }
  std::vector<std::vector<std::string>> settings;
  for (const StoredRun& run : runs) {
    settings.emplace_back();
    each_parameter(run, [&](const std::string& name, const std::string& value, bool set) {
      if (models.size() > 1 ? set : values[name].size() > 1)
        settings.back().push_back(fmt::format("{}={}", name, value));
    });
  }
  return settings;
}

}  // namespace raak

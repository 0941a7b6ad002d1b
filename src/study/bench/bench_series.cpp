#include "study/bench/bench_series.h"

#include <algorithm>
#include <cmath>

namespace raak {

std::vector<BenchSeries> series_of(const std::vector<BenchRow>& rows) {
  std::vector<BenchSeries> all;
  for (const BenchRow& row : rows) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const BenchSeries& s) {
      return s.front()->model == row.model && s.front()->method == row.method && s.front()->form == row.form;
    });
    if (same == all.end()) all.push_back({&row});
    else same->push_back(&row);
  }
  for (BenchSeries& series : all) {
    std::stable_sort(series.begin(), series.end(), [](const auto* a, const auto* b) { return a->rtol > b->rtol; });
  }
  return all;
}

BenchSeries tail_of(const BenchSeries& series, const std::function<bool(const BenchRow&)>& holds) {
  BenchSeries tail;
  for (std::size_t left = series.size(); left-- > 0;) {
    if (series[left]->status == "refused") continue;
    if (!holds(*series[left])) break;
    tail.insert(tail.begin(), series[left]);
  }
  return tail;
}

const BenchRow* cost_at(const BenchSeries& series, double scd) {
  const BenchSeries tail = tail_of(series, [&](const BenchRow& row) { return row.ok() && row.scd && *row.scd >= scd; });
  return tail.empty() ? nullptr : tail.front();
}

BenchSeries held_drift(const BenchSeries& series, double limit) {
  return tail_of(series, [&](const BenchRow& row) { return row.ok() && row.energy_drift < limit; });
}

const BenchRow* cheapest_within(const BenchSeries& series, double limit) {
  const BenchSeries tail = held_drift(series, limit);
  const auto least = std::min_element(tail.begin(), tail.end(),
                                      [](const auto* a, const auto* b) { return a->cpu_us_min < b->cpu_us_min; });
  return least == tail.end() ? nullptr : *least;
}

const BenchRow* smallest_drift(const BenchSeries& series) {
  const BenchRow* least = nullptr;
  for (const BenchRow* row : series)
    if (row->ok() && std::isfinite(row->energy_drift) && (least == nullptr || row->energy_drift < least->energy_drift))
      least = row;
  return least;
}

std::optional<double> worst_shortfall(const BenchSeries& series) {
  std::optional<double> worst;
  for (const BenchRow* row : series) {
    if (const auto one = row->shortfall()) worst = std::max(worst.value_or(*one), *one);
  }
  return worst;
}

double worst_backslide(const BenchSeries& series) {
  double worst = 0.0;
  double best_so_far = -INFINITY;
  for (const BenchRow* row : series) {
    if (!row->ok() || !row->digits) continue;
    worst = std::max(worst, best_so_far - *row->digits);
    best_so_far = std::max(best_so_far, *row->digits);
  }
  return worst;
}

}  // namespace raak

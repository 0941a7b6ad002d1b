// What the rows of a method say together: its cost at an accuracy or at an energy drift, and where it falls short.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "study/bench/bench.h"

namespace raak {

// The rows of one model, method and form, from loose to tight.
using BenchSeries = std::vector<const BenchRow*>;
std::vector<BenchSeries> series_of(const std::vector<BenchRow>& rows);

// The accuracies at which methods are compared, scd.
inline constexpr std::array<double, 4> bench_levels{3.0, 5.0, 8.0, 10.0};

// The rows at this and every tighter rtol of which `holds` is true: no lucky points. Rows that were refused, which say
// nothing about the method, are passed over.
BenchSeries tail_of(const BenchSeries& series, const std::function<bool(const BenchRow&)>& holds);

// The run at the loosest rtol from which every tighter rtol reaches `scd` too. Null: there is none.
const BenchRow* cost_at(const BenchSeries& series, double scd);

// The rows at this and every tighter rtol of which the energy drift stays below `limit`, J.
BenchSeries held_drift(const BenchSeries& series, double limit);
// The cheapest of them. Null: there is none.
const BenchRow* cheapest_within(const BenchSeries& series, double limit);
// The run with the smallest energy drift; null: none was measured.
const BenchRow* smallest_drift(const BenchSeries& series);

// The largest shortfall of a series, and the most digits that a tighter rtol lost against a looser one.
std::optional<double> worst_shortfall(const BenchSeries& series);
double worst_backslide(const BenchSeries& series);

}  // namespace raak

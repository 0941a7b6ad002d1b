// Made-up rows, so that what they say together is known.
#include "study/bench/bench_series.h"

#include <gtest/gtest.h>

#include <cmath>

namespace raak {
namespace {

BenchRow row_of(double rtol, std::optional<double> scd, double us, const std::string& status = "ok") {
  BenchRow row;
  row.model = "m";
  row.method = "a";
  row.form = Form::index1;
  row.rtol = row.atol = rtol;
  row.scd = row.digits = scd;
  row.cpu_us_min = us;
  row.status = status;
  return row;
}

TEST(CostAt, TakesNoLuckyPoint) {
  const std::vector<BenchRow> rows{row_of(1e-4, 5.2, 10), row_of(1e-5, 4.1, 20), row_of(1e-6, 5.5, 30),
                                   row_of(1e-7, 6.5, 40)};
  const auto series = series_of(rows);
  ASSERT_EQ(series.size(), 1U);
  EXPECT_EQ(cost_at(series[0], 4.0)->cpu_us_min, 10);
  EXPECT_EQ(cost_at(series[0], 5.0)->cpu_us_min, 30);
  EXPECT_EQ(cost_at(series[0], 7.0), nullptr);
  EXPECT_NEAR(worst_backslide(series[0]), 1.1, 1e-12);
  EXPECT_NEAR(*worst_shortfall(series[0]), 0.9, 1e-12);
}

TEST(CostAt, CountsAFailedRunAsNotReached) {
  const std::vector<BenchRow> rows{row_of(1e-4, 5.0, 10), row_of(1e-5, std::nullopt, 0, "failed")};
  EXPECT_EQ(cost_at(series_of(rows)[0], 3.0), nullptr);
}

BenchRow drifting(double rtol, double drift, double us, const std::string& status = "ok") {
  BenchRow row = row_of(rtol, 5.0, us, status);
  row.energy_drift = drift;
  return row;
}

TEST(CostAt, PassesOverWhatWasNotAskedFor) {
  const std::vector<BenchRow> rows{row_of(1e-4, 5.0, 10), row_of(1e-6, 6.0, 20),
                                   row_of(1e-7, std::nullopt, 0, "refused")};
  const auto series = series_of(rows);
  ASSERT_NE(cost_at(series[0], 5.0), nullptr);
  EXPECT_EQ(cost_at(series[0], 5.0)->rtol, 1e-4);
  const std::vector<BenchRow> none{row_of(1e-7, std::nullopt, 0, "refused")};
  EXPECT_EQ(cost_at(series_of(none)[0], 0.0), nullptr);
}

TEST(Drift, IsHeldOnlyWhereEveryTighterToleranceHoldsItToo) {
  const std::vector<BenchRow> rows{drifting(1e-3, 9e-6, 10), drifting(1e-4, 2e-5, 20), drifting(1e-5, 8e-6, 45),
                                   drifting(1e-6, 1e-7, 40), drifting(1e-7, 1e-8, 50)};
  const auto series = series_of(rows);
  EXPECT_EQ(held_drift(series[0], 1e-5).size(), 3U);
  EXPECT_EQ(cheapest_within(series[0], 1e-5)->rtol, 1e-6);  // cheaper than the looser one
  EXPECT_EQ(cheapest_within(series[0], 1e-8), nullptr);     // below, not at
  EXPECT_EQ(smallest_drift(series[0])->rtol, 1e-7);
}

TEST(Drift, IsNotHeldWhereARunFailsOrNobodyMeasuredIt) {
  const std::vector<BenchRow> failed{drifting(1e-4, 1e-9, 10), drifting(1e-5, 0.0, 0, "failed")};
  EXPECT_EQ(cheapest_within(series_of(failed)[0], 1e-5), nullptr);
  const std::vector<BenchRow> unknown{drifting(1e-4, NAN, 10)};
  EXPECT_EQ(cheapest_within(series_of(unknown)[0], 1e-5), nullptr);
  EXPECT_EQ(smallest_drift(series_of(unknown)[0]), nullptr);
}

}  // namespace
}  // namespace raak

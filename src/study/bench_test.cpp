#include "study/bench.h"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/catalogue.h"

namespace raak {
namespace {

BenchRow row_of(double rtol, std::optional<double> scd, double us, const std::string& status = "ok") {
  BenchRow row;
  row.model = "m";
  row.method = "a";
  row.form = "index1";
  row.rtol = row.atol = rtol;
  row.scd = row.digits = scd;
  row.cpu_us_min = us;
  row.status = status;
  return row;
}

TEST(RtolGrid, HoldsBothEndsAndTheDecades) {
  const std::vector<double> grid = rtol_grid(1e-4, 1e-10, 2);
  ASSERT_EQ(grid.size(), 13U);
  EXPECT_EQ(grid.front(), 1e-4);
  EXPECT_EQ(grid.back(), 1e-10);
  EXPECT_NEAR(grid[1], 3.1622776601683795e-5, 1e-19);
  EXPECT_NEAR(grid[2] / 1e-5, 1.0, 1e-14);
  EXPECT_EQ(rtol_grid(1e-6, 1e-6, 3), std::vector<double>{1e-6});
  EXPECT_EQ(rtol_grid(1e-6, 4e-7, 1), (std::vector<double>{1e-6, 4e-7}));
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

TEST(Bench, MeasuresEveryMethodOfTheCatalogue) {
  BenchRequest request;
  request.rtols = {1e-8, 1e-5};
  std::size_t reported = 0;
  request.done = [&](const BenchRow&) { ++reported; };
  const auto rows = bench_model(problem_catalogue().front(), request);
  EXPECT_EQ(rows.size(), 2 * method_catalogue().size());
  EXPECT_EQ(rows.size(), reported);
  EXPECT_EQ(rows[0].rtol, 1e-5);
  for (const BenchRow& row : rows) {
    if (!row.ok()) {
      EXPECT_FALSE(row.message.empty()) << row.method;
      continue;
    }
    EXPECT_GT(row.cpu_us_min, 0.0) << row.method;
    EXPECT_LE(row.cpu_us_min, row.cpu_us) << row.method;
    EXPECT_EQ(row.work.steps, row.work.accepted + row.work.rejected) << row.method;
    EXPECT_TRUE(row.scd && row.mescd && row.shortfall()) << row.method;
  }
}

TEST(Bench, MakesARowOfARunThatCannotBe) {
  BenchRequest request;
  request.rtols = {1e-6, 1e-7};
  request.methods = {"svd"};
  request.forms = {"index1", "index2"};
  const auto rows = bench_model(problem_catalogue().front(), request);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_TRUE(rows[0].ok());
  EXPECT_EQ(rows[2].status, "refused");
  EXPECT_EQ(rows[2].message, "method \"svd\" has no form \"index2\"; it has: index1, index3, ggl");
}

TEST(Bench, StopsWhenToldAndKeepsWhatWasMeasured) {
  std::atomic<bool> stop = false;
  BenchRequest request;
  request.rtols = {1e-6, 1e-7, 1e-8};
  request.methods = {"dop853"};
  request.stop = &stop;
  request.done = [&](const BenchRow&) { stop = true; };
  EXPECT_EQ(bench_model(problem_catalogue().front(), request).size(), 1U);
}

}  // namespace
}  // namespace raak

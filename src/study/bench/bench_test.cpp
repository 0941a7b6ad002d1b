#include "study/bench/bench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "problems/catalogue.h"
#include "study/bench/bench_plan.h"

namespace raak {
namespace {

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
  request.forms = {Form::index1, Form::index2};
  const auto rows = bench_model(problem_catalogue().front(), request);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_TRUE(rows[0].ok());
  EXPECT_EQ(rows[2].status, "refused");
  EXPECT_EQ(rows[2].message, "method \"svd\" has no form \"index2\"; it has: index1, index3, ggl");
}

TEST(Bench, AsksAMethodThatNobodyNamedForNoMoreThanItIsMadeFor) {
  BenchRequest request;
  request.rtols = {1e-5, 1e-6, 1e-7, 1e-8};
  const ModelSource& source = problem_catalogue().front();
  for (const PlannedSeries& series : planned_series(source, request)) {
    const bool limited = series.method.name == "generalized-alpha";
    EXPECT_EQ(series.rtols.size(), limited ? 2U : 4U) << series.method.name;
    EXPECT_EQ(series.refusal.empty(), !limited) << series.method.name;
    EXPECT_EQ(series.refused_rtol, limited ? 1e-7 : 0.0) << series.method.name;
  }
  EXPECT_EQ(planned_rows(source, request), 4 * method_catalogue().size() - 1);
  request.methods = {"generalized-alpha"};
  EXPECT_EQ(planned_rows(source, request), 4U);
}

TEST(Bench, MeasuresInTheFormAndWithTheFirstStepOfADocument) {
  BenchRequest request;
  request.rtols = {1e-4, 1e-5};
  request.methods = {"radau5", "bdf"};
  request.own_form = Form::index3;
  request.first_step.of_rtol = 0.01;
  const auto rows = bench_model(problem_catalogue().front(), request);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].form, Form::index3);
  EXPECT_EQ(rows[2].form, Form::ggl);  // bdf has no other
  for (const BenchRow& row : rows) EXPECT_EQ(row.h0, 0.01 * row.rtol);
  request.first_step = {};
  EXPECT_NE(bench_model(problem_catalogue().front(), request)[0].work.steps, rows[0].work.steps);
}

TEST(Bench, RunsTheRunThatIsNamed) {
  const auto& models = problem_catalogue();
  const auto crank = std::find_if(models.begin(), models.end(), [](const auto& m) { return m.name == "slider-crank"; });
  BenchRequest request;
  request.rtols = {1e-6};
  request.methods = {"gauss"};
  request.run = "index2";
  const auto rows = bench_model(*crank, request);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].form, Form::index2);
  EXPECT_EQ(rows[0].run, "index2");
  EXPECT_GT(*rows[0].scd, 3.0);  // against the reference with the offset of x3
  request.run = "inedx2";
  EXPECT_THROW(bench_model(*crank, request), Error);
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

#include "study/bench/drift.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "problems/catalogue.h"

namespace raak {
namespace {

const ModelSource& iftomm() {
  const auto& models = problem_catalogue();
  return *std::find_if(models.begin(), models.end(), [](const auto& m) { return m.name == "andrews-iftomm"; });
}

BenchRequest two_methods() {
  BenchRequest request;
  request.rtols = {1e-3, 1e-5, 1e-7};
  request.methods = {"dop853", "adams"};
  return request;
}

TEST(JudgeDrift, MarksTheCheapestRunAndMeasuresItsTrajectory) {
  const BenchRequest request = two_methods();
  std::vector<BenchRow> rows = bench_model(iftomm(), request);
  judge_drift(iftomm(), request, 1e-5, rows);
  EXPECT_TRUE(any_holds_drift(rows));
  const auto best = std::find_if(rows.begin(), rows.end(), [](const auto& r) { return r.drift->cheapest; });
  ASSERT_NE(best, rows.end());
  EXPECT_EQ(best->method, "dop853");
  EXPECT_TRUE(best->drift->held);
  EXPECT_LT(best->energy_drift, 1e-5);
  ASSERT_TRUE(best->drift->trajectory_error);
  EXPECT_LT(*best->drift->trajectory_error, 1e4 * best->rtol);
  EXPECT_GE(*best->drift->trajectory_error, 0.3 * std::pow(10.0, -*best->digits));  // of the end, which is part of it
  // What is drawn over time is what the row says of it.
  double largest = 0.0;
  for (const auto& [t, balance] : best->drift->balance) largest = std::max(largest, std::abs(balance));
  EXPECT_NEAR(largest / best->energy_drift, 1.0, 1e-6);
  EXPECT_NEAR(best->drift->balance.back().first, 0.05, 1e-3);
}

TEST(JudgeDrift, SaysWhatWasReachedWhereNothingHolds) {
  const BenchRequest request = two_methods();
  std::vector<BenchRow> rows = bench_model(iftomm(), request);
  judge_drift(iftomm(), request, 1e-17, rows);
  EXPECT_FALSE(any_holds_drift(rows));
  for (const BenchSeries& series : series_of(rows)) {
    const std::string text = reached_drift(series, 1e-17);
    EXPECT_NE(text.find("no less than"), std::string::npos) << text;
    EXPECT_NE(text.find("1.0e-07"), std::string::npos) << text;
  }
  BenchRow lucky = rows[0], failed = rows[1];
  lucky.energy_drift = 1e-9;
  failed.status = "failed";
  EXPECT_NE(reached_drift({&lucky, &failed}, 1e-5).find("not at every tighter"), std::string::npos);
}

}  // namespace
}  // namespace raak
